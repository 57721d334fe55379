package rubricem.http.report;

import rubricem.protocol.report.ClaimMarks;
import rubricem.protocol.report.MarkdownText;

/** Text as HTML that is well-formed XML too. */
final class Html {
  private Html() {}

  /** Text from outside, without what no report may show. */
  static String escape(String text) {
    return escapeMarked(MarkdownText.clean(text));
  }

  /** Text of ours, in which marks of claims stand and stay. */
  static String escapeMarked(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  /** The value of an attribute that we or the Markdown renderer wrote. */
  static String unescape(String value) {
    return value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"")
        .replace("&#39;", "'").replace("&amp;", "&");
  }

  /** What is left of HTML that we rendered when its tags go. */
  static String withoutTags(String html) {
    StringBuilder out = new StringBuilder(html.length());
    boolean tag = false;
    for (int i = 0; i < html.length(); i++) {
      char c = html.charAt(i);
      tag |= c == '<';
      if (!tag) {
        out.append(c);
      }
      tag &= c != '>';
    }
    return out.toString();
  }

  static String marksOf(String text) {
    StringBuilder out = new StringBuilder();
    ClaimMarks.in(text).forEach(
        claim -> out.append(ClaimMarks.OPEN).append(claim).append(ClaimMarks.CLOSE));
    return out.toString();
  }
}
