package rubricem.protocol.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a Markdown link points, inline or by a definition.
 *
 * @param end one past the link's last character
 */
record LinkTarget(String url, int end) {
  private static final int TARGET_MAX = 4_096;

  /** The target of the link whose text ends at {@code close}; null where it is no link. */
  static @Nullable LinkTarget after(
      String text, int close, int open, Map<String, String> definitions) {
    int next = close + 1;
    if (next < text.length() && text.charAt(next) == '(') {
      return inline(text, next);
    }
    if (definitions.isEmpty()) {
      return null;
    }
    String label = text.substring(open + 1, Math.min(close, open + 200));
    int end = next;
    if (next < text.length() && text.charAt(next) == '[') {
      int second = SafeInline.near(text, ']', next, 200);
      if (second < 0) {
        return null;
      }
      label = second == next + 1 ? label : text.substring(next + 1, second);
      end = second + 1;
    }
    String url = definitions.get(SafeMarkdown.labelKey(label));
    return url == null ? null : new LinkTarget(url, end);
  }

  private static @Nullable LinkTarget inline(String text, int open) {
    int from = open + 1;
    int stop = Math.min(text.length(), open + TARGET_MAX);
    while (from < stop && Character.isWhitespace(text.charAt(from))) {
      from++;
    }
    if (from < stop && text.charAt(from) == '<') {
      int end = SafeInline.near(text, '>', from, TARGET_MAX);
      int close = end < 0 ? -1 : SafeInline.near(text, ')', end, TARGET_MAX);
      return close < 0
          ? null : new LinkTarget(text.substring(from + 1, end), close + 1);
    }
    int depth = 0;
    for (int i = from; i < stop; i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth < 0) {
        return new LinkTarget(url(text.substring(from, i)), i + 1);
      }
      if (c == '\n' && i + 1 < stop && text.charAt(i + 1) == '\n') {
        return null;
      }
    }
    return null;
  }

  /** What is left without a title and without marks; blanks inside are kept. */
  private static String url(String raw) {
    String bare = ClaimMarks.replace(raw, claim -> "").strip();
    int title = Math.max(bare.lastIndexOf(" \""), bare.lastIndexOf(" '"));
    boolean titled = title > 0 && (bare.endsWith("\"") || bare.endsWith("'"));
    String url = titled ? bare.substring(0, title).strip() : bare;
    return url.replace("\\", "");
  }
}
