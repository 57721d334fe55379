package rubricem.gpu.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The next part of some prompts that is computed in one call: rows of one width, padded on the
 * right, with little padding and no more tokens than allowed.
 */
final class PrefillChunk {
  private final List<Prefill> prompts;
  private final int width;

  private PrefillChunk(List<Prefill> prompts, int width) {
    this.prompts = prompts;
    this.width = width;
  }

  /** Takes the longest that is left and what is at least half as long, as far as it fits. */
  static PrefillChunk next(List<Prefill> left, int tokensMax) {
    List<Prefill> sorted = new ArrayList<>(left);
    sorted.sort(Comparator.comparingInt(Prefill::left).reversed());
    int width = Math.min(tokensMax, sorted.getFirst().left());
    List<Prefill> chosen = new ArrayList<>();
    for (Prefill prompt : sorted) {
      boolean fits = (chosen.size() + 1L) * width <= tokensMax && 2 * prompt.left() >= width;
      if (chosen.isEmpty() || fits) {
        chosen.add(prompt);
      }
    }
    return new PrefillChunk(chosen, width);
  }

  int rows() {
    return prompts.size();
  }

  private int taken(Prefill prompt) {
    return Math.min(width, prompt.left());
  }

  long[] ids() {
    long[] ids = new long[rows() * width];
    for (int row = 0; row < rows(); row++) {
      Prefill prompt = prompts.get(row);
      for (int i = 0; i < taken(prompt); i++) {
        ids[row * width + i] = prompt.tokens()[prompt.at() + i];
      }
    }
    return ids;
  }

  /** Slots, first positions, index of the last token of each row. */
  long[] places() {
    long[] places = new long[3 * rows()];
    for (int row = 0; row < rows(); row++) {
      Prefill prompt = prompts.get(row);
      places[row] = prompt.slot();
      places[rows() + row] = prompt.at();
      places[2 * rows() + row] = taken(prompt) - 1L;
    }
    return places;
  }

  boolean isFresh() {
    return prompts.stream().allMatch(prompt -> prompt.at() == 0);
  }

  /** Positions that the cache has to have, padding included. */
  int seen() {
    return prompts.stream().mapToInt(Prefill::at).max().orElse(0) + width;
  }

  int indexOf(Prefill prompt) {
    return prompts.indexOf(prompt);
  }

  /** The chunk is computed; gives the prompts that are complete. */
  List<Prefill> advance() {
    prompts.forEach(prompt -> prompt.advance(taken(prompt)));
    return prompts.stream().filter(Prefill::isDone).toList();
  }
}
