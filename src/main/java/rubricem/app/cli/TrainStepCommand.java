package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.verify.StepRerun;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.TrainRollout;

/** {@code train-step}: one optimiser step on a stored batch, to see what it does and why. */
@Command(
    name = "train-step",
    description = "Runs one optimiser step on a stored batch of rollouts and shows what it does."
        + " Changes nothing but what --out names.",
    footer = {
      "",
      "FILE is JSON Lines, one rollout a line (gpu/README.md has the keys), or one document laid out"
          + " like shared/golden/ssgrpo.json. How it is trained says the section rubricem.learner of"
          + " the configuration. One worker computes, so the same batch gives the same numbers every"
          + " time.",
      "With --json: one object.",
      "",
      "Examples:",
      "  ./rubricem train-step step-37.jsonl --model runs/r1/checkpoints/step-000036",
      "  ./rubricem train-step ../shared/golden/ssgrpo.json --model ../shared/golden/qwen3-tied \\",
      "      --gradients --show rollout-3"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class TrainStepCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The stored batch.")
  private Path file;

  @Option(
      names = "--model", paramLabel = "DIR", required = true,
      description = "The policy before the step, a folder of Hugging Face. It is only read.")
  private Path model;

  @Option(
      names = "--adapter", paramLabel = "DIR",
      description = "An adapter of PEFT over it, which is then trained in its place.")
  private Path adapter;

  @Option(
      names = "--reference", paramLabel = "DIR",
      description = "The fixed reference, for a batch without its log-probabilities.")
  private Path reference;

  @Option(
      names = "--out", paramLabel = "DIR",
      description = "Writes the stepped weights (or adapter) there; not there yet.")
  private Path out;

  @Option(
      names = "--learning-rate", paramLabel = "X", defaultValue = "1e-6",
      description = "Default: 1e-6")
  private double learningRate;

  @Option(
      names = "--policy-version", paramLabel = "N",
      description = "Of the policy that is trained. Default: the newest in the batch")
  private Long policyVersion;

  @Option(
      names = "--precision", paramLabel = "NAME", defaultValue = "fp32",
      description = "fp32, bf16 (products only) or fp64. Default: fp32")
  private String precision;

  @Option(
      names = "--device", paramLabel = "DEVICE", defaultValue = "cpu",
      description = "cpu, or cuda:0 for the first GPU. Default: cpu")
  private String device;

  @Option(names = "--gradients", description = "Norms of the gradients by parameter.")
  private boolean gradients;

  @Option(
      names = "--show", paramLabel = "ROLLOUT",
      description = "Every token of this rollout: stage, log-probabilities, ratio, advantage.")
  private String shown;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() throws IOException {
    Console console = common.console();
    try {
      List<TrainRollout> rollouts = StoredBatch.read(file);
      refuseUnknown(rollouts);
      StepRerun.Result result = StepRerun.run(request(rollouts), System::nanoTime);
      TrainStepReport report =
          new TrainStepReport(result, gradients, Optional.ofNullable(shown), model);
      console.out(
          common.json ? TerminalText.json(report.json().toString()) + "\n" : report.text());
      return result.report().skipped() == null ? 0 : Failure.WORK_FAILED;
    } catch (UnusableFolderException | DeviceAbsentException | IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private StepRerun.Request request(List<TrainRollout> rollouts) {
    long newest = rollouts.stream().mapToLong(TrainRollout::policyVersion).max().orElse(0);
    return new StepRerun.Request(
        model, Optional.ofNullable(adapter), Optional.ofNullable(reference),
        Optional.ofNullable(out), VerifyLearnerCommand.device(device), precision(),
        common.settings().learner(), new AdamWOptions(0.9, 0.95, 1e-8, 0.01, 1), learningRate,
        policyVersion == null ? newest : policyVersion, rollouts);
  }

  private Precision precision() {
    return switch (precision.toLowerCase(Locale.ROOT)) {
      case "fp32" -> Precision.FP32;
      case "bf16" -> Precision.BF16;
      case "fp64" -> Precision.FP64;
      default ->
          throw Failure.usage("There is no precision \"" + precision + "\": fp32, bf16 or fp64.");
    };
  }

  private void refuseUnknown(List<TrainRollout> rollouts) {
    if (shown != null && rollouts.stream().noneMatch(r -> r.id().equals(shown))) {
      throw Failure.usage(
          "There is no rollout " + TerminalText.line(shown, 40) + " in the batch; there are "
              + TerminalText.line(
                  String.join(", ", rollouts.stream().map(TrainRollout::id).toList()), 200)
              + ".");
    }
    if (!(learningRate >= 0 && Double.isFinite(learningRate))) {
      throw Failure.usage("--learning-rate must be 0 or more.");
    }
  }
}
