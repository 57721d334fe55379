package rubricem.gpu.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.generate.Generation;
import rubricem.gpu.generate.GenerationRequest;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.generate.GeneratorSettings;
import rubricem.gpu.generate.Sampling;
import rubricem.gpu.loss.StepPlan;
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.Trainer;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TrainRollout;

/**
 * Whole GRPO steps, as the peer's script has them: 4 prompts of 32 tokens, 8 completions of 128
 * each, a reward that counts small tokens, log-probabilities under a fixed reference, one update,
 * and the new weights handed to the sampler.
 */
public final class WholeStepBench implements AutoCloseable {
  static final int QUESTIONS = 4;
  static final int GROUP = 8;
  private static final int REWARDED_BELOW = 16;
  private static final double RATE = 1e-6;

  /** Tokens of prompts and completions of a step. */
  public static final int TOKENS =
      QUESTIONS * GROUP * (GenerationBench.PROMPT + GenerationBench.NEW);

  private final Qwen3 model;
  private final Qwen3 reference;
  private final Trainer trainer;
  private final Trainer referee;
  private final Generator generator;
  private final RandomGenerator random = new SplittableRandom(9);
  private final LongSupplier nanos;
  private final StepParts parts;
  private final Precision precision;
  private final int samplers;
  private long version;

  public WholeStepBench(
      BenchShape shape, DeviceName device, Precision precision, TrainSettings settings, int cores,
      LongSupplier nanos)
      throws IOException {
    this.nanos = nanos;
    parts = new StepParts(nanos);
    model = open(shape, device, precision);
    reference = open(shape, device, precision);
    AdamWOptions optimiser = new AdamWOptions(0.9, 0.999, 1e-8, 0, 1);
    trainer = new Trainer(model, optimiser, settings, nanos);
    referee = new Trainer(reference, optimiser, settings, nanos);
    this.precision = precision;
    GeneratorSettings sampling =
        GenerationBench.settings(shape.shape(), QUESTIONS * GROUP, cores);
    samplers = sampling.workers();
    try (Snapshot first = model.snapshot(version)) {
      generator = new Generator(first, sampling);
    }
  }

  private static Qwen3 open(BenchShape shape, DeviceName device, Precision precision)
      throws IOException {
    return Qwen3.of(
        shape.shape(), new FreshWeights(shape.shape(), 7), device.present(), precision,
        RotaryFrequencies.FLOAT32, null);
  }

  /** Seconds of one step. */
  public double step() {
    long start = nanos.getAsLong();
    parts.begin();
    List<TrainRollout> drawn = draw();
    parts.end(StepParts.Part.SAMPLE);
    List<double[]> scores = referee.logProbs(drawn, 1, false);
    parts.end(StepParts.Part.REFERENCE);
    List<TrainRollout> rollouts = new ArrayList<>();
    for (int i = 0; i < drawn.size(); i++) {
      rollouts.add(drawn.get(i).withReference(scores.get(i)));
    }
    trainer.reinforce(StepPlan.of(LearnerOptions.paper(), version, rollouts), RATE);
    double trained = parts.lap();
    parts.add(StepParts.Part.PASSES, trained - trainer.updateSeconds());
    parts.add(StepParts.Part.UPDATE, trainer.updateSeconds());
    try (Snapshot next = model.snapshot(++version)) {
      generator.publish(next);
    }
    parts.end(StepParts.Part.PUBLISH);
    return (nanos.getAsLong() - start) / 1e9;
  }

  private List<TrainRollout> draw() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int q = 0; q < QUESTIONS; q++) {
      int[] prompt =
          random.ints(GenerationBench.PROMPT, 0, model.shape().vocabulary()).toArray();
      for (int i = 0; i < GROUP; i++) {
        requests.add(
            new GenerationRequest(
                prompt, GenerationBench.NEW, Sampling.plain(random.nextLong())));
      }
    }
    List<Generation> drawn = GenerationBench.draw(generator, requests);
    List<TrainRollout> rollouts = new ArrayList<>();
    for (int i = 0; i < drawn.size(); i++) {
      Generation generation = drawn.get(i);
      byte[] stage = new byte[generation.ids().length];
      Arrays.fill(stage, (byte) TrainRollout.STAGES);
      double[] advantages = new double[TrainRollout.STAGES];
      Arrays.fill(advantages, advantage(drawn, i));
      rollouts.add(
          new TrainRollout(
              "question-" + i / GROUP, "rollout-" + i, version, requests.get(i).prompt(),
              generation.ids(), stage, generation.sampledLogProbs(), null, null, advantages,
              false));
    }
    return rollouts;
  }

  private static double advantage(List<Generation> drawn, int index) {
    int first = index / GROUP * GROUP;
    double[] rewards = new double[GROUP];
    for (int i = 0; i < GROUP; i++) {
      rewards[i] =
          Arrays.stream(drawn.get(first + i).ids()).filter(id -> id < REWARDED_BELOW).count();
    }
    double mean = Arrays.stream(rewards).average().orElse(0);
    double spread =
        Math.sqrt(Arrays.stream(rewards).map(r -> (r - mean) * (r - mean)).average().orElse(0));
    return (rewards[index - first] - mean) / (spread + 1e-4);
  }

  /** What a part of a step cannot do without. */
  public PartCost cost(StepParts.Part part) {
    return PartCost.of(model.shape(), precision, part, samplers);
  }

  /** Where the time of the steps went that the last median is of. */
  public StepParts parts() {
    return parts;
  }

  /** Median of seconds a step. */
  public double median(int warmUp, int repeats) {
    for (int i = 0; i < warmUp; i++) {
      step();
    }
    parts.clear();
    double[] seconds = new double[repeats];
    for (int i = 0; i < repeats; i++) {
      seconds[i] = step();
    }
    Arrays.sort(seconds);
    return seconds[repeats / 2];
  }

  @Override
  public void close() {
    generator.close();
    trainer.close();
    referee.close();
    model.close();
    reference.close();
  }
}
