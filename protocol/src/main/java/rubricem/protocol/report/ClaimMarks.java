package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The mark that stands in an answer's body where the numbers of a claim go: the claim's index
 * between two characters for private use. Those two are taken out of every text from outside
 * first, so a mark is always ours.
 */
public final class ClaimMarks {
  public static final char OPEN = '\uE000';
  public static final char CLOSE = '\uE001';

  private ClaimMarks() {}

  static String of(int claim) {
    return OPEN + Integer.toString(claim) + CLOSE;
  }

  /** The text with each mark replaced by what {@code replacement} says for its claim. */
  public static String replace(String text, IntFunction<String> replacement) {
    StringBuilder out = new StringBuilder(text.length() + 64);
    int at = 0;
    for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, at)) {
      int close = text.indexOf(CLOSE, open);
      if (close < 0) {
        break;
      }
      out.append(text, at, open).append(replacement.apply(claim(text, open, close)));
      at = close + 1;
    }
    return out.append(text, at, text.length()).toString();
  }

  private static int claim(String text, int open, int close) {
    return Integer.parseInt(text.substring(open + 1, close));
  }

  /** The claims whose marks stand in the text, in order. */
  public static List<Integer> in(String text) {
    List<Integer> claims = new ArrayList<>();
    replace(text, claim -> {
      claims.add(claim);
      return "";
    });
    return claims;
  }

  /** Only the marks of a text, in order. */
  static String only(CharSequence text, int from, int to) {
    StringBuilder marks = new StringBuilder();
    boolean inside = false;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      inside |= c == OPEN;
      if (inside) {
        marks.append(c);
      }
      inside &= c != CLOSE;
    }
    return marks.toString();
  }
}
