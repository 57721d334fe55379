package rubricem.app.bench;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rubricem.app.node.TrainingConfig;
import rubricem.gpu.bench.BenchShape;
import rubricem.gpu.bench.GenerationBench;
import rubricem.gpu.bench.TrainingBench;
import rubricem.gpu.bench.WholeStepBench;
import rubricem.gpu.device.DeviceThread;
import rubricem.gpu.device.MatmulRates;
import rubricem.gpu.device.MemoryRate;
import rubricem.gpu.device.NativeCount;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.Computing;
import rubricem.gpu.train.StepFlops;
import rubricem.gpu.train.TrainSettings;
import rubricem.protocol.learning.TrainRollout;

/**
 * What the learner does a second on this machine and, where a peer is named, what Hugging Face does
 * in turn with it: two rounds of each, the faster one counts on either side.
 */
public final class LearnerFigures {
  private static final String BENCH = "learner";
  private static final int ROUNDS = 2;

  /** Sequences and longest length of a step whose memory is watched. */
  private static final int LEAK_BATCH = 3;
  private static final int LEAK_LENGTH = 48;
  private static final int LEAK_REPORTS = 5;

  private final TrainingConfig config;
  private final @Nullable PeerLearner peer;
  private final Consumer<BenchLine> out;

  /** @param peer null: nobody to compare with */
  public LearnerFigures(Config config, @Nullable PeerLearner peer, Consumer<BenchLine> out) {
    this.config = TrainingConfig.of(config);
    this.peer = peer;
    this.out = out;
  }

  /** Measures training of one shape. */
  public void train(BenchShape shape, Precision precision) throws IOException {
    Computing computing = config.computing();
    Computing.Machine machine = Computing.Machine.here(computing.device());
    TrainSettings settings =
        computing.on(machine, shape.shape(), Float.BYTES * shape.shape().parameters());
    try (DeviceThread thread = DeviceThread.start("learner")) {
      MatmulRates before = rates(thread, machine);
      TrainingBench bench =
          thread.call(
              () ->
                  new TrainingBench(
                      shape, computing.device(), precision, settings, System::nanoTime));
      try {
        List<TrainRollout> batch =
            thread.call(() -> bench.batch(shape.batch(), BenchShape.LENGTH));
        double ours = 0;
        double theirs = 0;
        for (int round = 0; round < ROUNDS; round++) {
          double seconds =
              thread.call(() -> bench.median(batch, shape.warmUp(), shape.repeats()));
          ours = Math.max(ours, tokens(shape) / seconds);
          if (peer != null) {
            theirs = Math.max(theirs, peer.trainTokensPerSecond(shape.label(), round));
          }
        }
        MatmulRates after = rates(thread, machine);
        report(
            shape, precision, settings, ours, theirs,
            Math.max(before.of(precision), after.of(precision)));
      } finally {
        thread.call(closing(bench));
      }
    }
  }

  /** Measures sampling of one shape. */
  public void generate(BenchShape shape, Precision precision) throws IOException {
    Computing.Machine machine = Computing.Machine.here(config.computing().device());
    double ours = 0;
    double theirs = 0;
    try (GenerationBench bench =
        new GenerationBench(
            shape, config.computing().device(), precision, machine.cores(), System::nanoTime)) {
      for (int round = 0; round < ROUNDS; round++) {
        ours = Math.max(ours, bench.median(shape.warmUp(), shape.repeats()));
        if (peer != null) {
          theirs = Math.max(theirs, peer.generateTokensPerSecond(shape.label(), round));
        }
      }
    }
    compared(
        "generate_tokens_per_second", ours, theirs,
        Map.of(
            "shape", shape.label(), "batch", shape.drawn(), "dtype",
            precision.name().toLowerCase(Locale.ROOT)));
  }

  /** Measures whole steps of one shape: sampling, reference, update. */
  public void wholeStep(BenchShape shape, Precision precision) throws IOException {
    Computing computing = config.computing();
    Computing.Machine machine = Computing.Machine.here(computing.device());
    TrainSettings settings =
        computing.on(machine, shape.shape(), Float.BYTES * shape.shape().parameters());
    double ours = 0;
    double theirs = 0;
    try (WholeStepBench bench =
        new WholeStepBench(
            shape, computing.device(), precision, settings, machine.cores(), System::nanoTime)) {
      for (int round = 0; round < ROUNDS; round++) {
        ours =
            Math.max(
                ours, WholeStepBench.TOKENS / bench.median(shape.warmUp(), shape.repeats()));
        if (peer != null) {
          theirs = Math.max(theirs, peer.stepTokensPerSecond(shape.label(), round));
        }
      }
    }
    compared(
        "grpo_step_tokens_per_second", ours, theirs,
        Map.of(
            "shape", shape.label(), "completions", 32, "dtype",
            precision.name().toLowerCase(Locale.ROOT)));
  }

  /**
   * Where the seconds of a whole step go, and what limits each part: its rates beside those that
   * this machine reaches in products alone and in reading alone, and the seconds that follow.
   */
  public void profile(BenchShape shape, Precision precision) throws IOException {
    Computing computing = config.computing();
    Computing.Machine machine = Computing.Machine.here(computing.device());
    TrainSettings settings =
        computing.on(machine, shape.shape(), Float.BYTES * shape.shape().parameters());
    double peak;
    double reading;
    try (DeviceThread thread = DeviceThread.start("learner")) {
      peak = rates(thread, machine).of(precision);
      reading =
          thread.call(
              () -> MemoryRate.measure(computing.device(), machine.cores(), System::nanoTime));
    }
    try (WholeStepBench bench =
        new WholeStepBench(
            shape, computing.device(), precision, settings, machine.cores(), System::nanoTime)) {
      double whole = bench.median(shape.warmUp(), shape.repeats());
      new StepProfile(shape.label(), precision, peak, reading, this::line).report(bench, whole);
    }
  }

  private void compared(
      String metric, double ours, double theirs, Map<String, Object> params) {
    line(metric, ours, "1/s", params);
    if (peer != null) {
      line("peer_" + metric, theirs, "1/s", params);
      line(metric + "_ratio", ours / theirs, "1", params);
    }
  }

  private static Callable<Boolean> closing(TrainingBench bench) {
    return () -> {
      bench.close();
      return true;
    };
  }

  private MatmulRates rates(DeviceThread thread, Computing.Machine machine) {
    return thread.call(
        () ->
            MatmulRates.measure(config.computing().device(), machine.cores(), System::nanoTime));
  }

  private static double tokens(BenchShape shape) {
    return (double) shape.batch() * BenchShape.LENGTH;
  }

  private void report(
      BenchShape shape, Precision precision, TrainSettings settings, double ours, double theirs,
      double peak) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("shape", shape.label());
    params.put("batch", shape.batch());
    params.put("length", BenchShape.LENGTH);
    params.put("dtype", precision.name().toLowerCase(Locale.ROOT));
    params.put("workers", settings.workers());
    params.put("threads", settings.threads());
    long tokens = (long) tokens(shape);
    double flops =
        StepFlops.of(shape.shape(), false, tokens, tokens, tokens * BenchShape.LENGTH / 2);
    line("matmul_gflops", peak, "GFLOP/s", Map.of("n", MatmulRates.SIZE, "dtype",
        precision.name().toLowerCase(Locale.ROOT)));
    line("train_tokens_per_second", ours, "1/s", params);
    line("train_utilisation", flops / tokens * ours / (peak * 1e9), "1", params);
    if (peer != null) {
      line("peer_train_tokens_per_second", theirs, "1/s", params);
      line("train_tokens_per_second_ratio", ours / theirs, "1", params);
    }
  }

  /** Runs many small steps and says what of them stays: native arrays, managers, resident memory. */
  public void leak(BenchShape shape, Precision precision, int steps) throws IOException {
    Computing computing = config.computing();
    TrainSettings settings =
        computing.on(
            Computing.Machine.here(computing.device()), shape.shape(),
            Float.BYTES * shape.shape().parameters());
    RandomGenerator lengths = new SplittableRandom(11);
    try (DeviceThread thread = DeviceThread.start("learner")) {
      thread.call(
          () -> {
            try (TrainingBench bench =
                new TrainingBench(
                    shape, computing.device(), precision, settings, System::nanoTime)) {
              for (int step = 1; step <= steps; step++) {
                bench.step(bench.batch(LEAK_BATCH, lengths.nextInt(2, LEAK_LENGTH)));
                if (step == 1 || step % Math.max(1, steps / LEAK_REPORTS) == 0) {
                  memory(shape, step, bench.natives());
                }
              }
            }
            return true;
          });
    }
  }

  private void memory(BenchShape shape, int step, NativeCount natives) throws IOException {
    Map<String, Object> params = Map.of("shape", shape.label(), "step", step);
    line("native_arrays", natives.arrays(), "1", params);
    line("native_managers", natives.managers(), "1", params);
    Path status = Path.of("/proc/self/status");
    if (Files.isReadable(status)) {
      for (String each : Files.readAllLines(status)) {
        if (each.startsWith("VmRSS:")) {
          line("rss_mb", Long.parseLong(each.replaceAll("\\D", "")) / 1024.0, "MB", params);
        }
      }
    }
  }

  private void line(String metric, double value, String unit, Map<String, Object> params) {
    out.accept(new BenchLine(BENCH, metric, value, unit, params));
  }
}
