package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.gpu.verify.ScriptExport;
import rubricem.gpu.weights.UnusableFolderException;

/** {@code export-script}: the programs that the learner runs, for any other libtorch. */
@Command(
    name = "export-script",
    description = "Writes the learner's programs as TorchScript archives, with a sample call of"
        + " each method and what it gives.",
    footer = {
      "",
      "The archives hold no weights, only the sizes of the model's shape; weights are arguments."
          + " README.md in the folder says how libtorch and PyTorch run them.",
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
    try (Stream<Path> files = Files.list(target)) {
      long count = files.count();
      console.say(
          count + " files are in " + target + "; README.md there says how to run them.");
    }
    return 0;
  }
}
