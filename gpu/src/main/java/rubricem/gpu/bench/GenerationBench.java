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
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.weights.QwenShape;

/** Sampling at temperature 1 over the whole vocabulary, every sequence to the same length. */
public final class GenerationBench implements AutoCloseable {
  /** Tokens of a prompt, and tokens drawn after it, as the peer has them. */
  static final int PROMPT = 32;
  static final int NEW = 128;

  private final QwenShape shape;
  private final int sequences;
  private final Generator generator;
  private final RandomGenerator random = new SplittableRandom(5);
  private final LongSupplier nanos;

  public GenerationBench(
      BenchShape shape, DeviceName device, Precision precision, int cores, LongSupplier nanos)
      throws IOException {
    this.shape = shape.shape();
    this.sequences = shape.drawn();
    this.nanos = nanos;
    try (Snapshot weights =
        Snapshot.of(
            this.shape, new FreshWeights(this.shape, 7), device.present(), precision,
            RotaryFrequencies.FLOAT32, 0)) {
      generator = new Generator(weights, settings(this.shape, sequences, cores));
    }
  }

  static GeneratorSettings settings(QwenShape shape, int sequences, int cores) {
    GeneratorSettings usual = GeneratorSettings.usualFor(shape.parameters(), cores);
    return new GeneratorSettings(
        usual.workers(), usual.threads(), Math.max(usual.workers(), sequences), usual.queueMax(),
        PROMPT + NEW + 1, usual.cacheTokens(), usual.promptChunk(), 0);
  }

  /** Draws for other prompts each time; gives the new tokens a second. */
  public double tokensPerSecond() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < sequences; i++) {
      int[] prompt = random.ints(PROMPT, 0, shape.vocabulary()).toArray();
      requests.add(new GenerationRequest(prompt, NEW, Sampling.plain(random.nextLong())));
    }
    long start = nanos.getAsLong();
    long tokens = draw(generator, requests).stream().mapToLong(g -> g.ids().length).sum();
    if (tokens != (long) sequences * NEW) {
      throw new IllegalStateException("a sequence of the benchmark ended early");
    }
    return tokens / ((nanos.getAsLong() - start) / 1e9);
  }

  static List<Generation> draw(Generator generator, List<GenerationRequest> requests) {
    return generator.submit(requests).stream()
        .map(ticket -> ticket.result().toCompletableFuture().join())
        .toList();
  }

  /** Median over repeats. */
  public double median(int warmUp, int repeats) {
    for (int i = 0; i < warmUp; i++) {
      tokensPerSecond();
    }
    double[] rates = new double[repeats];
    for (int i = 0; i < repeats; i++) {
      rates[i] = tokensPerSecond();
    }
    Arrays.sort(rates);
    return rates[repeats / 2];
  }

  @Override
  public void close() {
    generator.close();
  }
}
