package rubricem.gpu.generate;

/**
 * Bounds and shares of a generator.
 *
 * @param workers threads that decode side by side, each with sequences of its own
 * @param threads of libtorch for each worker
 * @param slots most sequences that run at once, over all workers
 * @param queueMax most requests that wait; more are refused at once
 * @param context most tokens of a sequence, prompt included; the model's own limit holds too
 * @param cacheTokens most positions that the caches of all workers hold
 * @param promptChunk most tokens of prompts computed at once: bounds memory, and how long running
 *     sequences wait for a long prompt
 * @param prefixTokens most tokens of ended sequences whose keys and values are kept for a prompt
 *     that begins alike; 0: none are
 */
public record GeneratorSettings(
    int workers, int threads, int slots, int queueMax, int context, long cacheTokens,
    int promptChunk, long prefixTokens) {
  /**
   * With matrices up to this many bytes several workers of one thread beat one of several: 1.1 to
   * 1.3 times at 4 MB. At 40 MB two workers that bring each matrix near before its product were 1.1
   * times as fast as one that does not; workers alone gained nothing there.
   */
  private static final long CORE_CACHE_BYTES = 64L << 20;

  public GeneratorSettings {
    if (workers < 1 || threads < 1 || slots < workers || queueMax < 1 || context < 2
        || promptChunk < 1 || prefixTokens < 0) {
      throw new IllegalArgumentException(
          "workers, threads, queue and chunk are at least 1, a context 2, and every worker needs a"
              + " slot");
    }
    if (cacheTokens / workers < context) {
      throw new IllegalArgumentException(
          "a cache of " + cacheTokens + " tokens for " + workers + " workers does not hold one"
              + " sequence of " + context);
    }
  }

  /** The usual bounds. */
  public static GeneratorSettings usual(int workers, int threads) {
    return new GeneratorSettings(workers, threads, 64, 4096, 4096, 1 << 18, 2048, 1 << 16);
  }

  /** Workers and threads for a machine and weights of so many parameters. */
  public static GeneratorSettings usualFor(long parameters, int cores) {
    return parameters * Float.BYTES <= CORE_CACHE_BYTES ? usual(cores, 1) : usual(1, cores);
  }

  int slotsEach() {
    return slots / workers;
  }

  long cacheTokensEach() {
    return cacheTokens / workers;
  }
}
