package rubricem.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.device.MemoryKeeping;
import rubricem.gpu.generate.QueueFull;
import rubricem.gpu.policy.LocalCompletion;
import rubricem.gpu.policy.LocalCompletion.Wanted;
import rubricem.gpu.policy.LocalModel;
import rubricem.gpu.policy.LocalSettings;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.persistence.serialization.DurableFormat;

/** {@code generate}: continues a text with the model of a folder. */
@Command(
    name = "generate",
    description = "Continues a text with the model of a folder on this machine: a model or an"
        + " adapter in Hugging Face's layout, a checkpoint of a run included.",
    footer = {
      "",
      "The prompt is a message of a user, answered in the chat form of Qwen3; with --raw it is"
          + " continued as it stands. --ids takes and gives tokens, no text.",
      "",
      "Examples:",
      "  ./rubricem generate --model data/runs/first/checkpoints/step-000010 \\",
      "      --prompt \"How is the lamp lit?\" --thinking off",
      "  ./rubricem generate --model DIR --prompt-file F --raw --samples 8 --seed 1 --json"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class GenerateCommand implements Callable<Integer> {
  /** As many as run and wait at once by the defaults; a command is no queue. */
  private static final int SAMPLES_MAX = 1024;

  static final class Given {
    @Option(names = "--prompt", paramLabel = "TEXT", description = "What to continue.")
    String text;

    @Option(names = "--prompt-file", paramLabel = "FILE", description = "The same from a file; - is standard input.")
    Path file;

    @Option(
        names = "--ids", paramLabel = "N,N,…", split = ",",
        description = "The same as tokens of the model's vocabulary; answers are tokens too.")
    List<Integer> ids;
  }

  @Option(names = "--model", paramLabel = "DIR", required = true, description = "The folder.")
  private Path model;

  @ArgGroup(multiplicity = "1")
  private Given given;

  @Option(names = "--max-tokens", paramLabel = "N", description = "Most tokens to write. Default: 512")
  private int maxTokens = 512;

  @Option(names = "--temperature", paramLabel = "X", description = "0 takes the likeliest token always. Default: 1")
  private double temperature = 1;

  @Option(names = "--top-p", paramLabel = "X", description = "Only the likeliest tokens of this share. Default: 1, all")
  private double topP = 1;

  @Option(names = "--top-k", paramLabel = "N", description = "Only the N likeliest tokens. Default: 0, all")
  private int topK;

  @Option(names = "--seed", paramLabel = "N", description = "The same seed gives the same text. Default: 0")
  private long seed;

  @Option(names = "--stop", paramLabel = "TEXT", description = "Ends with this text, which is kept; repeatable.")
  private List<String> stop = List.of();

  @Option(names = "--samples", paramLabel = "N", description = "How many texts; sample i has seed + i. Default: 1")
  private int samples = 1;

  @Option(names = "--thinking", paramLabel = "on|off", description = "Whether the model may think before it answers. Default: on")
  private String thinking = "on";

  @Option(names = "--raw", description = "Continues the prompt as it stands, control tokens included.")
  private boolean raw;

  @Option(names = "--device", paramLabel = "cpu|cuda:N", description = "Where. Default: rubricem.generation.device")
  private String device;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws IOException {
    LocalSettings settings = common.settings().generation();
    if (device != null) {
      settings = settings.on(VerifyLearnerCommand.device(device));
    }
    Wanted wanted = wanted();
    Console console = common.console();
    Signals signals = Signals.taken();
    try (LocalModel opened =
        LocalModel.open(model, settings, Runtime.getRuntime().availableProcessors())) {
      signals.onFirst(opened::stop);
      MemoryKeeping.missing().ifPresent(console::say);
      console.say(
          "Generating " + (samples == 1 ? "a text" : samples + " texts") + " with " + model + " …");
      List<LocalCompletion> all = LocalCompletion.of(opened, wanted, samples);
      if (signals.came()) {
        throw Failure.interrupted("Interrupted. Nothing was written.");
      }
      for (int i = 0; i < all.size(); i++) {
        print(console, i, all.get(i));
      }
      return all.stream().anyMatch(c -> c.failure().isPresent()) ? Failure.WORK_FAILED : 0;
    } catch (DeviceStoppedException | QueueFull e) {
      throw signals.came()
          ? Failure.interrupted("Interrupted. Nothing was written.")
          : Failure.work("Nothing can be generated: " + e.getMessage() + ".");
    } catch (DeviceAbsentException e) {
      throw Failure.usage(e.getMessage());
    } catch (UnusableFolderException e) {
      throw Failure.usage("The model cannot be used: " + e.getMessage() + ".");
    } catch (IllegalArgumentException e) {
      throw Failure.usage("Nothing can be generated: " + e.getMessage() + ".");
    }
  }

  private Wanted wanted() {
    if (samples < 1 || samples > SAMPLES_MAX) {
      throw Failure.usage("--samples must be from 1 to " + SAMPLES_MAX + ".");
    }
    if (maxTokens < 1) {
      throw Failure.usage("--max-tokens must be at least 1.");
    }
    if (!thinking.equals("on") && !thinking.equals("off")) {
      throw Failure.usage("--thinking is on or off, not \"" + thinking + "\".");
    }
    if (given.ids != null) {
      return new Wanted(
          "", given.ids.stream().mapToInt(Integer::intValue).toArray(), true, true, maxTokens,
          temperature, topK, topP, seed, stop);
    }
    return new Wanted(
        prompt(), new int[0], raw, thinking.equals("on"), maxTokens, temperature, topK, topP,
        seed, stop);
  }

  private String prompt() {
    try {
      String text =
          given.text != null
              ? given.text
              : given.file.toString().equals("-")
                  ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                  : Files.readString(given.file);
      if (text.isEmpty()) {
        throw Failure.usage("The prompt is empty.");
      }
      return text;
    } catch (IOException e) {
      throw Failure.usage(
          "The prompt cannot be read from " + given.file + " (" + e.getMessage()
              + "); it has to be UTF-8.");
    }
  }

  private void print(Console console, int index, LocalCompletion completion) {
    completion.failure().ifPresent(f -> console.warn("Sample " + index + " failed: " + f + "."));
    if (common.json) {
      console.out(json(index, completion) + "\n");
      return;
    }
    if (samples > 1) {
      console.say("--- sample " + index + ", " + completion.finish());
    }
    console.out(
        (given.ids != null
                ? Arrays.toString(completion.ids())
                : TerminalText.lines(completion.text()))
            + "\n");
  }

  private static ObjectNode json(int index, LocalCompletion c) {
    ObjectNode node =
        DurableFormat.json().createObjectNode().put("sample", index).put("text", c.text())
            .put("finish", c.finish());
    ArrayNode ids = node.putArray("ids");
    Arrays.stream(c.ids()).forEach(ids::add);
    ArrayNode sampled = node.putArray("logprobs");
    Arrays.stream(c.sampledLogProbs()).forEach(sampled::add);
    ArrayNode policy = node.putArray("policy_logprobs");
    Arrays.stream(c.policyLogProbs()).forEach(policy::add);
    return node.put("prompt_tokens", c.promptTokens());
  }
}
