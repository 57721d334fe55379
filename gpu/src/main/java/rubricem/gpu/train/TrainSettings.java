package rubricem.gpu.train;

import java.util.Arrays;
import java.util.List;

/**
 * Where a step's time and memory go; nothing here changes what is learned.
 *
 * @param workers micro-batches computed side by side, each with gradients of its own
 * @param threads of libtorch for each worker
 * @param memoryBytes for the kept values of all workers together, weights and gradients aside
 * @param scoredElements rows times vocabulary that a worker scores at once
 */
public record TrainSettings(
    Packing packing, int workers, int threads, long memoryBytes, long scoredElements) {
  /** More micro-batches than needed that are tried until all are within the budget. */
  private static final int TRIES = 2;

  public TrainSettings {
    if (workers < 1 || threads < 1 || memoryBytes < 1 || scoredElements < 1) {
      throw new IllegalArgumentException(
          "workers " + workers + ", threads " + threads + ", memory " + memoryBytes
              + ", scored elements " + scoredElements + "; each is at least 1");
    }
  }

  /**
   * The micro-batches of a step: as many for each worker, as few and as equal as can be, so that no
   * worker is idle; documents that begin alike together.
   */
  List<int[]> packs(List<int[]> documents) {
    int[] lengths = documents.stream().mapToInt(ids -> ids.length).toArray();
    if (!(packing instanceof Packing.Tokens(int budget))) {
      return packing.pack(lengths);
    }
    long tokens = Arrays.stream(lengths).asLongStream().sum();
    boolean alike = Packing.beginAlike(documents);
    int least = workers * (int) Math.ceilDiv(Math.max(1, tokens), (long) workers * budget);
    for (int count = least; count <= least + TRIES * workers; count += workers) {
      List<int[]> even =
          alike ? Packing.neighbours(documents, count) : Packing.even(lengths, count);
      if (even.stream().allMatch(pack -> fits(pack, lengths, budget))) {
        return even;
      }
    }
    return packing.pack(lengths);
  }

  private static boolean fits(int[] pack, int[] lengths, int budget) {
    return pack.length == 1 || Arrays.stream(pack).map(i -> lengths[i]).sum() <= budget;
  }
}
