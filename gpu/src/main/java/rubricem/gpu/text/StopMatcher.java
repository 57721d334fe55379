package rubricem.gpu.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Finds stop strings in a generation, wherever the tokens cut them. The stop that is complete
 * first wins; of two that end at the same byte the longer one. It counts bytes of UTF-8, so that a
 * hit falls within a token exactly where it is, and says how much of the text can no longer become
 * part of a stop. One matcher serves one generation and one thread; after a hit it takes no more.
 */
public final class StopMatcher {
  /** More stops than any caller has; each costs a comparison per byte. */
  public static final int STOPS_MAX = 64;

  private final byte[][] stops;
  private final int[][] fallbacks;
  private final int[] matched;
  private long seen;
  private Optional<Hit> hit = Optional.empty();

  /**
   * A stop that was found.
   *
   * @param stop which of those given
   * @param from the byte of the generation at which it begins
   * @param to the byte behind it
   */
  public record Hit(int stop, long from, long to) {}

  public StopMatcher(List<String> stops) {
    if (stops.size() > STOPS_MAX || stops.contains("")) {
      throw new IllegalArgumentException(
          "at most " + STOPS_MAX + " stop strings, none of them empty");
    }
    this.stops =
        stops.stream().map(s -> s.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    this.fallbacks = new int[stops.size()][];
    for (int i = 0; i < fallbacks.length; i++) {
      fallbacks[i] = fallbacks(this.stops[i]);
    }
    this.matched = new int[fallbacks.length];
  }

  /** For each length of a matched part, the longest shorter one that may go on at its end. */
  private static int[] fallbacks(byte[] stop) {
    int[] out = new int[stop.length + 1];
    int length = 0;
    for (int i = 1; i < stop.length; i++) {
      while (length > 0 && stop[i] != stop[length]) {
        length = out[length];
      }
      length += stop[i] == stop[length] ? 1 : 0;
      out[i + 1] = length;
    }
    return out;
  }

  /** The bytes of one more token; the hit, if there is one now or was one before. */
  public Optional<Hit> feed(byte[] token) {
    for (int i = 0; i < token.length && hit.isEmpty(); i++) {
      seen++;
      advance(token[i]);
    }
    return hit;
  }

  private void advance(byte b) {
    for (int s = 0; s < stops.length; s++) {
      int length = matched[s];
      while (length > 0 && stops[s][length] != b) {
        length = fallbacks[s][length];
      }
      length += stops[s][length] == b ? 1 : 0;
      matched[s] = length;
      if (length == stops[s].length && (hit.isEmpty() || hit.get().from() > seen - length)) {
        hit = Optional.of(new Hit(s, seen - length, seen));
        matched[s] = fallbacks[s][length];
      }
    }
  }

  public Optional<Hit> hit() {
    return hit;
  }

  /** Bytes from the beginning that belong to no stop, found or perhaps to come. */
  public long settledBytes() {
    if (hit.isPresent()) {
      return hit.get().from();
    }
    int open = 0;
    for (int length : matched) {
      open = Math.max(open, length);
    }
    return seen - open;
  }
}
