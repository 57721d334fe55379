package rubricem.protocol.report;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What stands between {@code <} and {@code >} in a policy's Markdown, and what becomes of it. */
final class HtmlTags {
  /** Tags that only dress their text: they go without trace. Any other tag is shown as text. */
  private static final Set<String> DROPPED =
      Set.of(
          "a", "b", "i", "u", "em", "strong", "br", "sub", "sup", "p", "div", "span", "small",
          "mark", "center", "font", "img", "details", "summary", "hr", "cite");

  private HtmlTags() {}

  static boolean isAddress(String inner) {
    int colon = inner.indexOf(':');
    if (colon < 2 || colon > 32) {
      return false;
    }
    for (int i = 0; i < inner.length(); i++) {
      char c = inner.charAt(i);
      boolean scheme = Character.isLetterOrDigit(c) || "+.-".indexOf(c) >= 0;
      if (i < colon && !scheme || Character.isWhitespace(c) || c == '<') {
        return false;
      }
    }
    return true;
  }

  static boolean isDropped(String inner) {
    return DROPPED.contains(name(inner)) && inner.indexOf('<') < 0;
  }

  static boolean breaksLine(String inner) {
    return Set.of("br", "p", "div", "hr").contains(name(inner));
  }

  private static String name(String inner) {
    int from = inner.startsWith("/") ? 1 : 0;
    int to = from;
    while (to < inner.length() && Character.isLetterOrDigit(inner.charAt(to))) {
      to++;
    }
    return inner.substring(from, to).toLowerCase(Locale.ROOT);
  }

  /** The address a link or an image in HTML points to. */
  static Optional<String> addressOf(String inner) {
    String name = name(inner);
    if (inner.startsWith("/") || !name.equals("a") && !name.equals("img")) {
      return Optional.empty();
    }
    String lower = inner.toLowerCase(Locale.ROOT);
    String attribute = name.equals("a") ? "href" : "src";
    int at = lower.indexOf(attribute);
    int equals = at < 0 ? -1 : inner.indexOf('=', at);
    if (equals < 0 || lower.length() != inner.length()) {
      return Optional.empty();
    }
    String rest = inner.substring(equals + 1).strip();
    boolean quoted = rest.startsWith("\"") || rest.startsWith("'");
    int end = quoted ? rest.indexOf(rest.charAt(0), 1) : rest.indexOf(' ');
    return Optional.of(rest.substring(quoted ? 1 : 0, end < 0 ? rest.length() : end));
  }
}
