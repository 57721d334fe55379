package rubricem.protocol.report;

import java.util.Locale;

/** Recognises an address that stands bare in a text, and where it ends. */
final class Addresses {
  private static final String ENDING = "<>\"`|\\[]{}「」『』，。、；：！？（）【】《》“”";

  private Addresses() {}

  /** One past the address that starts here, or -1. */
  static int end(String text, int from) {
    // readers that link bare addresses start one after anything but a letter of theirs
    if (from > 0 && isLetter(text.charAt(from - 1))) {
      return -1;
    }
    int start = prefix(text, from);
    int i = from + start;
    if (start == 0 || i >= text.length() || !inside(text.charAt(i))) {
      return -1;
    }
    int depth = 0;
    while (i < text.length() && inside(text.charAt(i))) {
      depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (depth < 0) {
        break;
      }
      i++;
    }
    while (i > from + start && ".,;:!?'*_~".indexOf(text.charAt(i - 1)) >= 0) {
      i--;
    }
    return i > from + start ? i : -1;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static int prefix(String text, int from) {
    String head = text.substring(from, Math.min(text.length(), from + 8)).toLowerCase(Locale.ROOT);
    for (String prefix : new String[] {"https://", "http://", "ftp://", "www."}) {
      if (head.startsWith(prefix)) {
        return prefix.length();
      }
    }
    return 0;
  }

  private static boolean inside(char c) {
    boolean mark = c == ClaimMarks.OPEN || c == ClaimMarks.CLOSE;
    return !Character.isWhitespace(c) && ENDING.indexOf(c) < 0 && !mark;
  }
}
