package rubricem.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.gpu.verify.ScriptExport;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.persistence.serialization.DurableFormat;

/** {@code export-script}: the programs that the learner runs, for any other libtorch. */
@Command(
    name = "export-script",
    description = "Writes the learner's programs as TorchScript archives, with a sample call of"
        + " each method and what it gives.",
    footer = {
      "",
      "The archives hold no weights, only the sizes of the model's shape; weights are arguments."
          + " README.md in the folder says how libtorch and PyTorch run them.",
      "With --json: one object with the folder and its files.",
      "",
      "Examples:",
      "  ./rubricem export-script scripts",
      "  ./rubricem export-script scripts --model ~/models/Qwen3-0.6B"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class ExportScriptCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "Where they go; empty, or not there yet.")
  private Path target;

  @Option(
      names = "--model", paramLabel = "DIR",
      description = "The model whose shape and weights are used, a folder of Hugging Face."
          + " Default: a tiny one with random weights")
  private Path model;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws IOException {
    Console console = common.console();
    if (model != null) {
      OutputPlace.refuseOver("The folder", target, "--model", model);
    }
    console.say("Writing programs and sample calls to " + target + " …");
    try {
      LearnerThread.run(
          "Nothing was written.",
          thread -> {
            if (model == null) {
              ScriptExport.tiny(target, thread::check);
            } else {
              ScriptExport.of(target, model, thread::check);
            }
            return true;
          });
    } catch (UnusableFolderException e) {
      throw Failure.usage(e.getMessage());
    }
    List<String> names = names();
    console.say(
        names.size() + " files are in " + target + "; README.md there says how to run them.");
    if (common.json) {
      ObjectNode written = DurableFormat.json().createObjectNode();
      written.put("folder", target.toAbsolutePath().normalize().toString());
      names.forEach(written.putArray("files")::add);
      console.out(TerminalText.json(written.toString()) + "\n");
    }
    return 0;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }
}
