package rubricem.app.cli;

import com.typesafe.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
import rubricem.gpu.device.PrecisionChoice;
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
          + " its own is taken. Advantages of the batch are trained on as they are; where it has the"
          + " scores of the stages in their place, these are credited as credit says. One worker"
          + " computes, so the same batch gives the same numbers every"
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
  private static final String CREDIT = "credit";

  /** What acts over many steps, and where one worker is enough. */
  private static final List<String> OF_A_RUN =
      List.of(
          "old-policy.updates-per-batch", "sampling.top-p", "sampling.top-k",
          "schedule.course", "schedule.warm-up", "schedule.floor",
          "checkpoints", "supervised.epochs", "supervised.batch", "supervised.schedule",
          "supervised.row-tokens", "supervised.masked-spans", "device.workers", "device.threads",
          "device.memory", "device.packed-tokens", "device.scored-elements");

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
      description = "Writes the stepped weights (or adapter) there; not there yet, and neither in nor"
          + " around a folder that is read.")
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
      names = "--precision", paramLabel = "NAME",
      description = "fp32, bf16 (products only) or fp64. Default: rubricem.learner.device.precision,"
          + " and fp32 where that is auto")
  private String precision;

  @Option(
      names = "--device", paramLabel = "DEVICE",
      description = "cpu, or cuda:0 for the first GPU. Default: rubricem.learner.device.name")
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
      refuseOver();
      StoredBatch.Contents batch =
          StoredBatch.read(file, new StageCredit(common.settings().learner().credit()));
      refuseUnknown(batch.rollouts());
      IdleSettings idle = idle(batch);
      StepRerun.Request request = request(batch);
      MemoryKeeping.missing().ifPresent(console::say);
      idle.sentence().ifPresent(console::warn);
      console.say("One step on " + Words.count(batch.rollouts().size(), "rollout") + " …");
      StepRerun.Result result =
          LearnerThread.run(
              "Nothing was written.",
              thread -> StepRerun.run(request, System::nanoTime, thread::stopping));
      TrainStepReport report =
          new TrainStepReport(
              result, batch.crediting(), gradients, Optional.ofNullable(shown), model);
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
        device == null ? training.computing().device() : VerifyLearnerCommand.device(device),
        precision(training), options,
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

  private Precision precision(TrainingConfig training) {
    String name =
        precision == null
            ? training.computing().precision() == PrecisionChoice.BF16 ? "bf16" : "fp32"
            : precision;
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "fp32" -> Precision.FP32;
      case "bf16" -> Precision.BF16;
      case "fp64" -> Precision.FP64;
      default ->
          throw Failure.usage("There is no precision \"" + precision + "\": fp32, bf16 or fp64.");
    };
  }

  /**
   * The settings that this step does not look at. Credit that somebody asked for, over scores that
   * are there, is not merely named: the batch says two things.
   */
  private IdleSettings idle(StoredBatch.Contents batch) {
    IdleSettings credit = IdleSettings.in(common.config(), List.of(CREDIT));
    if (batch.crediting() == StoredBatch.Crediting.GIVEN_BESIDE_SCORES && !credit.isEmpty()) {
      throw Failure.usage(
          file + " has both advantages and stage_scores, and " + credit.names() + " would act only"
              + " on the scores. Remove advantages from every rollout to have the scores credited,"
              + " or stage_scores, or those keys, to train on the advantages as they are.");
    }
    List<String> idle = unread(batch, learningRate != null, adapter != null);
    idle.addAll(IdleSettings.unchosen(common.config()));
    return IdleSettings.in(common.config(), idle);
  }

  /** Keys below {@code rubricem.learner}. */
  static List<String> unread(StoredBatch.Contents batch, boolean rateGiven, boolean adapterGiven) {
    List<String> unread = new ArrayList<>(OF_A_RUN);
    if (batch.crediting() != StoredBatch.Crediting.FROM_SCORES) {
      unread.add(CREDIT);
    }
    if (batch.optimiser().isPresent()) {
      unread.add("optimiser");
    }
    if (batch.optimiser().isPresent() || rateGiven) {
      unread.add("schedule.rate");
    }
    if (adapterGiven) {
      unread.add("adapter");
    }
    return unread;
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

  private void refuseOver() throws IOException {
    if (out == null) {
      return;
    }
    OutputPlace.refuseOver("--out", out, "--model", model);
    if (adapter != null) {
      OutputPlace.refuseOver("--out", out, "--adapter", adapter);
    }
    if (reference != null) {
      OutputPlace.refuseOver("--out", out, "--reference", reference);
    }
  }
}
