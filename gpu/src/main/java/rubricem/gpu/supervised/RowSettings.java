package rubricem.gpu.supervised;

import java.util.List;

/**
 * What becomes a row.
 *
 * @param tokensMax of one row; a longer record is left out, for a cut one would teach to stop
 * @param maskedSpans names of elements within an assistant's message that it did not write: tool
 *     output in a trajectory that stands in one message
 */
public record RowSettings(int tokensMax, List<String> maskedSpans) {
  /** Far above the length of any model's training. */
  public static final int TOKENS_MAX = 1 << 20;

  public RowSettings {
    if (tokensMax < 2 || tokensMax > TOKENS_MAX) {
      throw new IllegalArgumentException("row-tokens " + tokensMax + "; 2 to " + TOKENS_MAX);
    }
    for (String name : maskedSpans) {
      if (!name.matches("[A-Za-z_][\\w-]*")) {
        throw new IllegalArgumentException("masked-spans: \"" + name + "\" names no element");
      }
    }
    maskedSpans = List.copyOf(maskedSpans);
  }

  /** The same for a model that was made for sequences of at most {@code positions} tokens. */
  public RowSettings upTo(int positions) {
    return new RowSettings(Math.max(2, Math.min(tokensMax, positions)), maskedSpans);
  }
}
