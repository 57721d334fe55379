package rubricem.http.report;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides what a browser decides by itself: the direction of each element that is marked to find
 * its own, which is that of its first letter. The PDF writer orders the runs of a line and mirrors
 * its brackets by the direction it is told, and finds none. Pure.
 */
final class TextDirections {
  private static final String AUTO = " dir=\"auto\"";

  /** A block of one isolated text goes the way of that text. */
  private static final Pattern ISOLATED_BLOCK =
      Pattern.compile("<(blockquote|p class=\"place\")><bdi>([^<]*)</bdi>");

  /** The writer has no order of its own for an isolate inside a line. */
  private static final Pattern ISOLATE =
      Pattern.compile("<(?:bdi|(span class=\"title\") dir=\"auto\")>([^<]*)</(?:bdi|span)>");

  private TextDirections() {}

  /**
   * @param page well-formed; a quote in a text is escaped, so the mark is found only where it is one
   * @param rightToLeft the direction of the page, for elements without letters
   */
  static String decided(String page, boolean rightToLeft) {
    String blocks = ISOLATED_BLOCK.matcher(page).replaceAll("<$1 dir=\"auto\">$2");
    String html =
        ISOLATE.matcher(blocks).replaceAll(
            isolate ->
                Matcher.quoteReplacement(
                    isMixed(isolate.group(2)) ? unwrapped(isolate) : isolate.group()));
    StringBuilder out = new StringBuilder(html.length());
    int at = 0;
    for (int mark = html.indexOf(AUTO); mark >= 0; mark = html.indexOf(AUTO, at)) {
      out.append(html, at, mark).append(" dir=\"")
          .append(isRightToLeft(html, mark, rightToLeft) ? "rtl" : "ltr").append('"');
      at = mark + AUTO.length();
    }
    return out.append(html, at, html.length()).toString();
  }

  private static String unwrapped(MatchResult isolate) {
    String open = isolate.group(1) == null ? "span" : isolate.group(1);
    return "<" + open + ">" + isolate.group(2) + "</span>";
  }

  private static boolean isMixed(String text) {
    return text.codePoints().anyMatch(TextDirections::isLeftToRight)
        && text.codePoints().anyMatch(TextDirections::isRightToLeft);
  }

  private static boolean isLeftToRight(int point) {
    return Character.getDirectionality(point) == Character.DIRECTIONALITY_LEFT_TO_RIGHT;
  }

  private static boolean isRightToLeft(int point) {
    byte direction = Character.getDirectionality(point);
    return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
        || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
  }

  /** By the first letter behind {@code mark} and before the element's end tag. */
  private static boolean isRightToLeft(String html, int mark, boolean otherwise) {
    String name = html.substring(html.lastIndexOf('<', mark) + 1, mark).split("\\s", 2)[0];
    int depth = 1;
    int i = html.indexOf('>', mark) + 1;
    while (i < html.length()) {
      char c = html.charAt(i);
      if (c == '<') {
        int close = html.indexOf('>', i);
        String tag = html.substring(i + 1, close);
        depth += tag.equals("/" + name) ? -1 : tag.split("[\\s/]", 2)[0].equals(name) ? 1 : 0;
        if (depth == 0) {
          return otherwise;
        }
        i = close + 1;
      } else if (c == '&') {
        i = html.indexOf(';', i) + 1;
      } else {
        int point = html.codePointAt(i);
        if (isLeftToRight(point) || isRightToLeft(point)) {
          return isRightToLeft(point);
        }
        i += Character.charCount(point);
      }
    }
    return otherwise;
  }
}
