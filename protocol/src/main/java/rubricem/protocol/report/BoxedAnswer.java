package rubricem.protocol.report;

/**
 * The {@code \boxed{…}} of an exact answer (specification §1.3), with braces balanced. In a report
 * its content stands in bold instead.
 */
public final class BoxedAnswer {
  private static final String OPENING = "\\boxed{";

  private BoxedAnswer() {}

  /** The text with every box replaced by its content in bold. */
  static String unbox(String text) {
    int open = text.indexOf(OPENING);
    if (open < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    while (open >= 0) {
      int from = open + OPENING.length();
      int close = closing(text, from);
      if (close < 0) {
        break;
      }
      String content = text.substring(from, close).strip();
      boolean bold = !content.isEmpty() && content.indexOf('\n') < 0 && !content.contains("**");
      int before = open;
      int after = close + 1;
      if (before > at && text.charAt(before - 1) == '$' && text.startsWith("$", after)) {
        before--;
        after++;
      }
      out.append(text, at, before).append(bold ? "**" + content + "**" : content);
      at = after;
      open = text.indexOf(OPENING, at);
    }
    return out.append(text, at, text.length()).toString();
  }

  private static int closing(String text, int from) {
    int depth = 1;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }
}
