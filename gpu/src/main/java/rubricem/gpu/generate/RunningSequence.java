package rubricem.gpu.generate;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * One request on its way: waiting, then in a slot, then done. All but cancelling belongs to the
 * worker that took it.
 */
final class RunningSequence {
  private static final int IDS_FIRST = 64;

  private final GenerationRequest request;
  private final CompletableFuture<Generation> result = new CompletableFuture<>();
  private final RandomGenerator random;
  private volatile boolean cancelled;
  private int[] ids;
  private double[] sampled;
  private double[] policy;
  private int count;
  private int cached;
  private int reused;

  RunningSequence(GenerationRequest request) {
    this.request = request;
    random = new SplittableRandom(request.sampling().seed());
    int size = Math.min(IDS_FIRST, request.maxTokens());
    ids = new int[size];
    sampled = new double[size];
    policy = new double[size];
  }

  GenerationRequest request() {
    return request;
  }

  CompletableFuture<Generation> result() {
    return result;
  }

  void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** As many bits as a float holds: the product with a sum of floats stays below the sum. */
  double nextUniform() {
    return request.sampling().isGreedy() ? 0.5 : (random.nextLong() >>> 40) * 0x1p-24;
  }

  /** Positions that the cache holds of it. */
  int cached() {
    return cached;
  }

  void cached(int positions) {
    cached = positions;
  }

  void reused(int tokens) {
    reused = tokens;
  }

  int lastId() {
    return ids[count - 1];
  }

  int count() {
    return count;
  }

  void add(int id, double sampledLogProb, double policyLogProb) {
    if (count == ids.length) {
      int size = Math.min(2 * count, request.maxTokens());
      ids = Arrays.copyOf(ids, size);
      sampled = Arrays.copyOf(sampled, size);
      policy = Arrays.copyOf(policy, size);
    }
    ids[count] = id;
    sampled[count] = sampledLogProb;
    policy[count] = policyLogProb;
    count++;
  }

  /** The tokens whose keys and values are cached. */
  int[] cachedTokens() {
    int prompt = request.prompt().length;
    int[] tokens = Arrays.copyOf(request.prompt(), cached);
    if (cached > prompt) {
      System.arraycopy(ids, 0, tokens, prompt, cached - prompt);
    }
    return tokens;
  }

  void finish(Finish finish, long version) {
    result.complete(
        new Generation(
            Arrays.copyOf(ids, count), Arrays.copyOf(sampled, count),
            Arrays.copyOf(policy, count), version, finish, request.prompt().length, reused));
  }
}
