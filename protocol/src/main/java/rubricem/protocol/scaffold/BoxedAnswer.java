package rubricem.protocol.scaffold;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Reads the last {@code \boxed{…}} of an answer, with balanced braces. Braces behind a backslash
 * do not count; a box that is never closed is none. One pass.
 */
public final class BoxedAnswer {
  private static final String COMMAND = "\\boxed";
  private static final int PLAIN_BRACE = -1;

  private BoxedAnswer() {}

  public static Optional<String> extract(String text) {
    Deque<Integer> open = new ArrayDeque<>();
    Optional<String> last = Optional.empty();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\\') {
        int brace = boxBrace(text, at);
        if (brace >= 0) {
          open.push(brace + 1);
          at = brace;
        } else {
          at++;
        }
      } else if (c == '{') {
        open.push(PLAIN_BRACE);
      } else if (c == '}' && !open.isEmpty()) {
        int from = open.pop();
        if (from != PLAIN_BRACE) {
          last = Optional.of(text.substring(from, at).strip());
        }
      }
      at++;
    }
    return last;
  }

  /** Where the brace stands that belongs to a box command at {@code at}, or -1. */
  private static int boxBrace(String text, int at) {
    if (!text.startsWith(COMMAND, at)) {
      return -1;
    }
    int brace = at + COMMAND.length();
    while (brace < text.length() && text.charAt(brace) == ' ') {
      brace++;
    }
    return brace < text.length() && text.charAt(brace) == '{' ? brace : -1;
  }
}
