package rubricem.app.cli;

import com.typesafe.config.ConfigException;
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
import rubricem.app.node.StageCredit;
import rubricem.app.node.TrainingConfig;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.device.MemoryKeeping;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.LearningRate;
import rubricem.gpu.verify.HandedOptimiser;
import rubricem.gpu.verify.StepRerun;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.LearnerOptions;
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
          + " the configuration (that of a run: --config RUN/config.conf): the loss, the optimiser, the"
          + " rate of schedule, and with adapter.rank a fresh adapter. Where FILE names an optimiser,"
          + " its own is taken. One worker computes, so the same batch gives the same numbers every"
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
      names = "--learning-rate", paramLabel = "X",
      description = "Default: that of FILE, else rubricem.learner.schedule.rate")
  private Double learningRate;

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
      refuseWrong();
      StoredBatch.Contents batch =
          StoredBatch.read(file, new StageCredit(common.settings().learner().credit()));
      refuseUnknown(batch.rollouts());
      StepRerun.Request request = request(batch);
      MemoryKeeping.missing().ifPresent(console::say);
      console.say("One step on " + Words.count(batch.rollouts().size(), "rollout") + " …");
      StepRerun.Result result =
          LearnerThread.run(
              "Nothing was written.",
              thread -> StepRerun.run(request, System::nanoTime, thread::stopping));
      TrainStepReport report =
          new TrainStepReport(result, gradients, Optional.ofNullable(shown), model);
      console.out(
          common.json ? TerminalText.json(report.json().toString()) + "\n" : report.text());
      return result.report().skipped() == null ? 0 : Failure.WORK_FAILED;
    } catch (UnusableFolderException | DeviceAbsentException | IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private StepRerun.Request request(StoredBatch.Contents batch) {
    List<TrainRollout> rollouts = batch.rollouts();
    LearnerOptions options = common.settings().learner();
    TrainingConfig training = training();
    long newest = rollouts.stream().mapToLong(TrainRollout::policyVersion).max().orElse(0);
    Optional<HandedOptimiser> named = batch.optimiser();
    double rate =
        learningRate != null
            ? learningRate
            : named.map(HandedOptimiser::learningRate).orElse(training.rate().peak());
    return new StepRerun.Request(
        model, Optional.ofNullable(adapter),
        adapter == null ? training.adapter(options.adapter(), model) : Optional.empty(),
        training.supervised().seed(), Optional.ofNullable(reference), Optional.ofNullable(out),
        VerifyLearnerCommand.device(device), precision(), options,
        named.map(HandedOptimiser::options).orElse(training.optimiser()), rate,
        policyVersion == null ? newest : policyVersion, rollouts);
  }

  private TrainingConfig training() {
    try {
      return TrainingConfig.of(common.config());
    } catch (ConfigException e) {
      throw Failure.usage("The configuration cannot be used: " + e.getMessage());
    }
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
  }

  private void refuseWrong() {
    if (learningRate != null && !(learningRate >= 0 && learningRate <= LearningRate.PEAK_MAX)) {
      throw Failure.usage("--learning-rate is from 0 to " + LearningRate.PEAK_MAX + ".");
    }
  }
}
