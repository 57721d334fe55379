package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import rubricem.protocol.port.Embedder;

/** An embedder for tests: the same words give the same vector, and it counts what it is asked. */
final class WordVectors implements Embedder {
  private final String name;
  private final int dimension;
  final AtomicInteger embedded = new AtomicInteger();
  volatile int failAfter = Integer.MAX_VALUE;

  WordVectors(String name, int dimension) {
    this.name = name;
    this.dimension = dimension;
  }

  static CompletionStage<Embedder> ready() {
    return CompletableFuture.completedFuture(new WordVectors("words", 32));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public CompletionStage<List<float[]>> embed(List<String> texts) {
    List<float[]> vectors = new ArrayList<>();
    for (String text : texts) {
      if (embedded.incrementAndGet() > failAfter) {
        return CompletableFuture.failedFuture(new IllegalStateException("the model broke"));
      }
      vectors.add(vector(text));
    }
    return CompletableFuture.completedFuture(vectors);
  }

  private float[] vector(String text) {
    float[] sum = new float[dimension];
    for (String word : text.toLowerCase(Locale.ROOT).split("\\P{L}+")) {
      sum[Math.floorMod(word.hashCode(), dimension)] += 1;
    }
    double length = 0;
    for (float x : sum) {
      length += x * x;
    }
    for (int i = 0; i < dimension; i++) {
      sum[i] = (float) (sum[i] / Math.max(1e-9, Math.sqrt(length)));
    }
    return sum;
  }
}
