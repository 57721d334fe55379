package rubricem.gpu.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.NativeCount;
import rubricem.gpu.loss.StepPlan;
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Scores;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.Trainer;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TrainRollout;

/**
 * Optimiser steps of GRPO on random tokens: forward, clipped ratio and KL to a reference, backward,
 * AdamW. Log-probabilities of sampler and reference are made before, because they come from
 * elsewhere; every token but the first of a sequence is trained. To be used on one thread.
 */
public final class TrainingBench implements AutoCloseable {
  private static final double RATE = 1e-5;

  /** PyTorch's defaults, which the peer takes; a norm that never clips. */
  private static final AdamWOptions OPTIMISER = new AdamWOptions(0.9, 0.999, 1e-8, 0.01, 1e6);

  private final Qwen3 model;
  private final Trainer trainer;
  private final RandomGenerator random = new SplittableRandom(3);
  private final LongSupplier nanos;

  public TrainingBench(
      BenchShape shape, DeviceName device, Precision precision, TrainSettings settings,
      LongSupplier nanos) throws IOException {
    this.nanos = nanos;
    model =
        Qwen3.of(
            shape.shape(), new FreshWeights(shape.shape(), 7), device.present(), precision,
            RotaryFrequencies.FLOAT32, null);
    trainer = new Trainer(model, OPTIMISER, settings, nanos);
  }

  /** A batch of sequences with random advantages and a reference that is near. */
  public List<TrainRollout> batch(int sequences, int length) {
    List<TrainRollout> bare = new ArrayList<>();
    for (int i = 0; i < sequences; i++) {
      int[] ids = random.ints(length, 0, model.shape().vocabulary()).toArray();
      byte[] stage = new byte[length - 1];
      Arrays.fill(stage, (byte) 4);
      double[] advantages = new double[TrainRollout.STAGES];
      Arrays.fill(advantages, random.nextGaussian());
      bare.add(
          new TrainRollout(
              "group", "r" + i, 0, Arrays.copyOf(ids, 1), Arrays.copyOfRange(ids, 1, length),
              stage, new double[length - 1], null, null, advantages, false));
    }
    List<Scores> scores = trainer.score(bare, 1, false);
    List<TrainRollout> out = new ArrayList<>();
    for (int i = 0; i < bare.size(); i++) {
      double[] old = scores.get(i).logProbs();
      double[] reference = Arrays.stream(old).map(l -> l + 0.01 * random.nextGaussian()).toArray();
      out.add(bare.get(i).withOld(old).withReference(reference));
    }
    return out;
  }

  /** Does one step; gives its seconds. */
  public double step(List<TrainRollout> batch) {
    long start = nanos.getAsLong();
    StepReport report =
        trainer.reinforce(StepPlan.of(LearnerOptions.paper(), 0, batch), RATE);
    double seconds = (nanos.getAsLong() - start) / 1e9;
    if (report.skipped() != null || !Double.isFinite(report.loss())) {
      throw new IllegalStateException("a step of the benchmark trained nothing: " + report);
    }
    return seconds;
  }

  /** Median of seconds a step. */
  public double median(List<TrainRollout> batch, int warmUp, int repeats) {
    for (int i = 0; i < warmUp; i++) {
      step(batch);
    }
    double[] seconds = new double[repeats];
    for (int i = 0; i < repeats; i++) {
      seconds[i] = step(batch);
    }
    Arrays.sort(seconds);
    return repeats % 2 == 1
        ? seconds[repeats / 2]
        : (seconds[repeats / 2 - 1] + seconds[repeats / 2]) / 2;
  }

  public NativeCount natives() {
    return NativeCount.of(model.manager());
  }

  @Override
  public void close() {
    trainer.close();
    model.close();
  }
}
