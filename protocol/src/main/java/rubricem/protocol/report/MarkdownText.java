package rubricem.protocol.report;

/**
 * Writes text from outside into Markdown so that a reader sees exactly that text and a link leads
 * to exactly that address, inside a table cell too. It also takes out of any text what may be shown
 * nowhere: marks of ours, control characters, halves of surrogate pairs, characters that reorder
 * what stands around them.
 */
public final class MarkdownText {
  private MarkdownText() {}

  /** The text without characters that no report may show; line ends are {@code \n}. */
  public static String clean(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\r') {
        out.append(i + 1 < text.length() && text.charAt(i + 1) == '\n' ? "" : "\n");
      } else if (Character.isHighSurrogate(c) && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        out.append(c).append(text.charAt(++i));
      } else if (shown(c)) {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean shown(char c) {
    if (c == '\n' || c == '\t') {
      return true;
    }
    boolean control = Character.isISOControl(c) || Character.isSurrogate(c);
    boolean reorders = c >= '\u202A' && c <= '\u202E' || c >= '\u2066' && c <= '\u2069';
    boolean noCharacter = c >= '\uFDD0' && c <= '\uFDEF' || c >= '\uFFFE';
    return !control && !reorders && !noCharacter && c != ClaimMarks.OPEN && c != ClaimMarks.CLOSE;
  }

  /** One line of text from outside: cleaned, blanks folded. */
  public static String line(String text) {
    return clean(text).strip().replaceAll("\\s+", " ");
  }

  /** The text as Markdown on one line that shows exactly it. */
  public static String escape(String text) {
    String line = line(text);
    StringBuilder out = new StringBuilder(line.length() + 16);
    for (int i = 0; i < line.length(); i++) {
      if (special(line, i)) {
        out.append('\\');
      }
      out.append(line.charAt(i));
    }
    return out.toString();
  }

  /** Whether the character would mean something to a reader of Markdown at this place. */
  private static boolean special(String line, int i) {
    char before = i == 0 ? ' ' : line.charAt(i - 1);
    char after = i + 1 == line.length() ? ' ' : line.charAt(i + 1);
    return switch (line.charAt(i)) {
      case '\\', '`', '*', '[', ']', '|', '~', '$' -> true;
      case '_' -> !Character.isLetterOrDigit(before) || !Character.isLetterOrDigit(after);
      case '<' -> Character.isLetter(after) || "/!?".indexOf(after) >= 0;
      case '&' -> startsEntity(after);
      case ':' -> line.startsWith("://", i);
      case '#', '>', '+', '-', '=' -> i == 0;
      case '.', ')' -> i > 0 && i <= 9 && allDigits(line, i);
      default -> false;
    };
  }

  private static boolean allDigits(String line, int to) {
    for (int i = 0; i < to; i++) {
      if (line.charAt(i) < '0' || line.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static boolean startsEntity(char c) {
    return c == '#' || Character.isLetter(c);
  }

  /** An address as a link's destination that Markdown reads back character by character. */
  public static String destination(String url) {
    StringBuilder out = new StringBuilder(url.length() + 8).append('<');
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      boolean entity = c == '&' && i + 1 < url.length() && startsEntity(url.charAt(i + 1));
      if (c == '<' || c == '>' || c == '\\' || c == '|' || entity) {
        out.append('\\');
      }
      out.append(c);
    }
    return out.append('>').toString();
  }

  /** A link whose text is shown as it is. */
  public static String link(String text, String url) {
    return "[" + escape(text) + "](" + destination(url) + ")";
  }
}
