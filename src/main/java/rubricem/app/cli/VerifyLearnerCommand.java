package rubricem.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.app.node.StageCredit;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.verify.Check;
import rubricem.gpu.verify.Verification;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.learning.Credit;

/** {@code verify-learner}: the learner against reference numbers that another program made. */
@Command(
    name = "verify-learner",
    description = "Recomputes a folder of reference numbers with the learner and prints how far each"
        + " quantity is off.",
    footer = {
      "",
      "The folder is laid out like shared/golden, whose README has the tolerances: model folders of"
          + " Hugging Face, NAME.forward.json, sft.json, ssgrpo.json and its safetensors, adapters,"
          + " kl.json, tokenizers, chat templates, searches. Any part of it will do, with any"
          + " shapes, seeds and names of cases; a model, an adapter or a tokenizer without its"
          + " numbers has failed. What is not known, and parts that are absent, are named on"
          + " standard error.",
      "A line says the case, the quantity, the largest deviation and the tolerance; that of kl3_mean"
          + " is 1e-6, and beyond a value of 1 so much of the value. The details"
          + " behind it: precision; rotary = bfloat16 where only frequencies rounded like that meet"
          + " the numbers; norms = float32 where 64-bit numbers are met by rounding norms as"
          + " transformers does.",
      "With --json: JSON Lines, one comparison a line.",
      "Exit codes: 0 all is within its tolerance, 1 something is not, 2 nothing could be checked, 130"
          + " interrupted.",
      "",
      "Examples:",
      "  ./rubricem verify-learner ../shared/golden",
      "  ./rubricem verify-learner ../shared/golden --device cuda:0 --json | jq 'select(.ok|not)'"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class VerifyLearnerCommand implements Callable<Integer> {
  private static final int CASE_COLUMNS = 36;
  private static final int QUANTITY_COLUMNS = 26;

  @Parameters(paramLabel = "FOLDER", description = "The reference numbers.")
  private Path folder;

  @Option(
      names = "--device", paramLabel = "DEVICE", defaultValue = "cpu",
      description = "cpu, or cuda:0 for the first GPU. Default: cpu")
  private String device;

  @Mixin private CommonOptions common;

  private final AtomicInteger all = new AtomicInteger();
  private final AtomicInteger bad = new AtomicInteger();

  @Override
  public Integer call() throws IOException {
    Console console = common.console();
    Path scratch = Files.createTempDirectory("rubricem-verify-");
    try {
      DeviceName on = device(device);
      console.say("Comparing what is in " + folder + " …");
      LearnerThread.run(
          "What is above was compared; the rest was not.",
          thread -> {
            Verification.run(
                folder, on, new StageCredit(Credit.PAPER), scratch, System::nanoTime,
                check -> say(console, check), console::warn, thread::stopping);
            return true;
          });
    } catch (UnusableFolderException | DeviceAbsentException e) {
      throw Failure.usage(e.getMessage());
    } finally {
      TemporaryFolder.delete(scratch);
    }
    if (!common.json) {
      console.out(
          bad.get() == 0
              ? "All " + all + " comparisons are within their tolerances.\n"
              : bad + " of " + all + " comparisons are not within their tolerances.\n");
    }
    return bad.get() == 0 ? 0 : Failure.WORK_FAILED;
  }

  static DeviceName device(String name) {
    try {
      return DeviceName.parse(name);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private void say(Console console, Check check) {
    all.incrementAndGet();
    bad.addAndGet(check.ok() ? 0 : 1);
    console.out((common.json ? TerminalText.json(json(check).toString()) : line(check)) + "\n");
  }

  private static ObjectNode json(Check check) {
    ObjectNode node = DurableFormat.json().createObjectNode();
    node.put("case", check.name()).put("quantity", check.quantity());
    if (Double.isFinite(check.deviation())) {
      node.put("deviation", check.deviation());
    } else {
      // JSON has no word for it
      node.putNull("deviation");
    }
    node.put("tolerance", check.tolerance()).put("ok", check.ok());
    check.details().forEach(node::put);
    return node;
  }

  private static String line(Check check) {
    String details =
        check.details().entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(Collectors.joining(", "));
    return (check.ok() ? "ok     " : "FAILED ")
        + TerminalText.padded(TerminalText.line(check.name(), 200), CASE_COLUMNS) + " "
        + TerminalText.padded(check.quantity(), QUANTITY_COLUMNS) + " "
        + String.format("%9.2e of %7.0e", check.deviation(), check.tolerance())
        + (details.isEmpty() ? "" : "  " + TerminalText.line(details, 400));
  }
}
