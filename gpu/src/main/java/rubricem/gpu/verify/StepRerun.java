package rubricem.gpu.verify;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.loss.StepPlan;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.ReferenceRounding;
import rubricem.gpu.model.Scores;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.TrainedModel;
import rubricem.gpu.train.Trainer;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.gpu.weights.WholeFolder;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TrainRollout;

/**
 * One optimiser step on a stored batch, for looking at it: with one worker, so that the same batch
 * and folder give the same numbers every time. The folder is only read. What the options need
 * before the step and the batch does not have is computed: old log-probabilities and entropies by
 * the model, reference log-probabilities by a reference model or, under an adapter, by its base.
 */
public final class StepRerun {
  private StepRerun() {}

  /**
   * What is run.
   *
   * @param adapter trained in place of the weights
   * @param fresh an adapter that is begun and trained in place of the weights; not with the one
   *     above
   * @param seed of a fresh adapter
   * @param reference for batches without reference log-probabilities
   * @param out where the stepped weights, or the stepped adapter, go; empty: nowhere
   */
  public record Request(
      Path model, Optional<Path> adapter, Optional<LoraConfig> fresh, long seed,
      Optional<Path> reference, Optional<Path> out,
      DeviceName device, Precision precision, LearnerOptions options, AdamWOptions optimizer,
      double learningRate, long policyVersion, List<TrainRollout> rollouts) {}

  /**
   * What came out.
   *
   * @param rollouts with the old and reference log-probabilities that were used
   * @param policy of each rollout before the step, of its response tokens
   * @param gradientNorms by parameter, before clipping; empty where no gradient was made
   */
  public record Result(
      StepReport report, List<TrainRollout> rollouts, List<Scores> policy,
      Map<String, Double> gradientNorms) {}

  /**
   * @param stop whether somebody wants an end; then nothing is written, as where the step is skipped
   */
  public static Result run(Request request, LongSupplier nanos, BooleanSupplier stop)
      throws IOException {
    Device device = request.device().present();
    ModelFolder folder = ModelFolder.open(request.model());
    for (TrainRollout rollout : request.rollouts()) {
      refuseUnfit(rollout, folder);
    }
    LoraWeights lora = adapter(request, folder);
    if (request.out().isPresent()) {
      WholeFolder.refuseTaken(request.out().get());
    }
    List<TrainRollout> rollouts = request.rollouts();
    if (lora == null && lacksReference(request)) {
      rollouts = withReference(request, device, nanos, stop);
    }
    try (Qwen3 model = open(folder, device, request.precision(), lora);
        Trainer trainer = trainer(request, model, nanos, stop)) {
      return step(request, folder, model, trainer, rollouts, lora != null);
    }
  }

  /** What the model has no numbers for would end inside it, without a word of which rollout. */
  private static void refuseUnfit(TrainRollout rollout, ModelFolder folder)
      throws UnusableFolderException {
    int[] ids =
        IntStream.concat(
                Arrays.stream(rollout.promptIds()), Arrays.stream(rollout.responseIds()))
            .toArray();
    int vocabulary = folder.shape().vocabulary();
    int positions = folder.shape().maxPositions();
    if (ids.length > positions) {
      throw new UnusableFolderException(
          folder.folder(),
          "its context is " + positions + " tokens, and the rollout " + rollout.id() + " has "
              + ids.length);
    }
    for (int id : ids) {
      if (id < 0 || id >= vocabulary) {
        throw new UnusableFolderException(
            folder.folder(),
            "it has the tokens 0 to " + (vocabulary - 1) + ", and the rollout " + rollout.id()
                + " holds " + id);
      }
    }
  }

  private static @Nullable LoraWeights adapter(Request request, ModelFolder folder)
      throws IOException {
    if (request.adapter().isPresent()) {
      TrainedModel.refuseOtherBase(request.adapter().get(), folder);
      LoraFolder adapter = LoraFolder.read(request.adapter().get(), folder.shape());
      return LoraWeights.of(adapter, folder.shape());
    }
    return request.fresh()
        .map(config -> LoraWeights.fresh(folder.shape(), config, request.seed()))
        .orElse(null);
  }

  private static Trainer trainer(
      Request request, Qwen3 model, LongSupplier nanos, BooleanSupplier stop) {
    Trainer trainer = new Trainer(model, request.optimizer(), TrainerSetup.ONE_WORKER, nanos);
    trainer.stopWhen(stop);
    return trainer;
  }

  private static Result step(
      Request request, ModelFolder folder, Qwen3 model, Trainer trainer,
      List<TrainRollout> given, boolean adapted)
      throws IOException {
    double temperature = request.options().sampling().temperature();
    List<TrainRollout> rollouts = given;
    if (adapted && lacksReference(request)) {
      rollouts = referenced(given, trainer.score(given, temperature, true));
    }
    List<Scores> policy = trainer.score(rollouts, temperature, false);
    if (request.options().oldPass() == LearnerOptions.OldPass.PASS_BEFORE) {
      rollouts = withOld(rollouts, policy);
    }
    double[][] entropies =
        request.options().needsEntropiesBefore()
            ? policy.stream().map(Scores::entropies).toArray(double[][]::new)
            : null;
    StepPlan plan =
        StepPlan.of(request.options(), request.policyVersion(), rollouts, entropies);
    Map<String, Double> norms = new LinkedHashMap<>();
    trainer.watchGradients(
        named ->
            named.forEach(
                (name, tensor) -> norms.put(name, GradientComparison.norm(tensor.toDoubles()))));
    StepReport report = trainer.reinforce(plan, request.learningRate());
    if (request.out().isPresent() && report.skipped() == null) {
      WholeFolder.write(
          request.out().get(), into -> write(into, folder, model, adapted));
    }
    return new Result(report, asUsed(request, rollouts, policy), policy, norms);
  }

  private static Qwen3 open(
      ModelFolder folder, Device device, Precision precision, @Nullable LoraWeights lora)
      throws IOException {
    return Qwen3.of(
        folder.shape(), folder::tensor, device, precision, ReferenceRounding.NONE, lora);
  }

  private static boolean lacksReference(Request request) {
    return request.options().needsReference()
        && request.rollouts().stream().anyMatch(r -> r.referenceLogProbs() == null);
  }

  private static List<TrainRollout> withReference(
      Request request, Device device, LongSupplier nanos, BooleanSupplier stop)
      throws IOException {
    Path path =
        request.reference().orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the batch has no reference log-probabilities, and the KL penalty needs them;"
                        + " name the reference model, or set rubricem.learner.kl.coefficient = 0"));
    try (Qwen3 model = open(ModelFolder.open(path), device, request.precision(), null);
        Trainer trainer = trainer(request, model, nanos, stop)) {
      double temperature = request.options().sampling().temperature();
      return referenced(
          request.rollouts(), trainer.score(request.rollouts(), temperature, false));
    }
  }

  private static List<TrainRollout> referenced(List<TrainRollout> rollouts, List<Scores> scores) {
    List<TrainRollout> out = new ArrayList<>();
    for (int i = 0; i < rollouts.size(); i++) {
      TrainRollout rollout = rollouts.get(i);
      out.add(
          rollout.referenceLogProbs() == null
              ? rollout.withReference(scores.get(i).logProbs())
              : rollout);
    }
    return out;
  }

  private static List<TrainRollout> withOld(List<TrainRollout> rollouts, List<Scores> scores) {
    List<TrainRollout> out = new ArrayList<>();
    for (int i = 0; i < rollouts.size(); i++) {
      TrainRollout rollout = rollouts.get(i);
      out.add(
          rollout.oldLogProbs() == null ? rollout.withOld(scores.get(i).logProbs()) : rollout);
    }
    return out;
  }

  /** With the old log-probabilities that the ratio was taken to, wherever they came from. */
  private static List<TrainRollout> asUsed(
      Request request, List<TrainRollout> rollouts, List<Scores> policy) {
    return switch (request.options().oldPass()) {
      case FROM_SAMPLER -> rollouts.stream().map(r -> r.withOld(r.samplerLogProbs())).toList();
      case SAME_PASS, PASS_BEFORE -> withOld(rollouts, policy);
    };
  }

  private static void write(Path out, ModelFolder folder, Qwen3 model, boolean adapted)
      throws IOException {
    if (adapted) {
      model.exportAdapter().write(out);
      return;
    }
    Map<String, StoredTensor> weights = model.export();
    Dtype dtype = weights.values().iterator().next().dtype();
    ModelFolder.write(out, folder, dtype, name -> weights.get(name).bytes());
  }
}
