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
  public TrainSettings {
    if (workers < 1 || threads < 1 || memoryBytes < 1 || scoredElements < 1) {
      throw new IllegalArgumentException(
          "workers " + workers + ", threads " + threads + ", memory " + memoryBytes
              + ", scored elements " + scoredElements + "; each is at least 1");
    }
  }

  /**
   * The micro-batches of a step. Where one for each worker is enough, they are made as equal as can
   * be, so that no worker is idle.
   */
  List<int[]> packs(int[] lengths) {
    return switch (packing) {
      case Packing.Tokens(int budget) -> {
        List<int[]> shares =
            Packing.share(lengths, workers).stream()
                .filter(share -> !share.isEmpty())
                .map(share -> share.stream().mapToInt(Integer::intValue).toArray())
                .toList();
        boolean fit =
            shares.stream()
                .allMatch(
                    s -> s.length == 1 || Arrays.stream(s).map(i -> lengths[i]).sum() <= budget);
        yield fit ? shares : packing.pack(lengths);
      }
      case Packing.Documents documents -> documents.pack(lengths);
    };
  }
}
