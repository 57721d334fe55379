package rubricem.persistence.corpus;

import java.util.List;

/**
 * A document cut into passages.
 *
 * @param text everything extracted, in reading order; every passage is a stretch of it
 */
record Cut(String text, List<Piece> pieces) {
  /** @param from first character in {@link #text}; {@code to} is one past the last */
  record Piece(int from, int to, List<String> section, String place, String anchor) {}
}
