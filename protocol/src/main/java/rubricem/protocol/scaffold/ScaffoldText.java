package rubricem.protocol.scaffold;

/**
 * How free text stands between the tags of a turn. {@code <} is written {@code &lt;} only where a
 * tag of the grammar would begin, and {@code &} is written {@code &amp;} only where reading would
 * take it for one of the two; reading is the exact inverse. All other text, cites and HTML
 * included, is the same on both sides, so an answer keeps its markup and a copied {@code &lt;cite}
 * does not become a citation.
 *
 * <p>Queries and attribute values hold no markup and are read like XML: {@code &quot; &amp; &lt;
 * &gt;} all count.
 */
final class ScaffoldText {
  private static final String AMP = "&amp;";
  private static final String LT = "&lt;";
  private static final String GT = "&gt;";
  private static final String QUOT = "&quot;";

  private ScaffoldText() {}

  static String write(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '<' && nameFollows(text, i + 1)) {
        out.append(LT);
      } else if (c == '&' && isWritten(text, i)) {
        out.append(AMP);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  static String read(String text) {
    if (text.indexOf('&') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      if (text.startsWith(LT, i) && nameFollows(text, i + LT.length())) {
        out.append('<');
        i += LT.length();
      } else if (text.startsWith(AMP, i) && startsReference(text, i + AMP.length())) {
        out.append('&');
        i += AMP.length();
      } else {
        out.append(text.charAt(i++));
      }
    }
    return out.toString();
  }

  /** Whether {@code &} at {@code at} has to be written, because reading would change it. */
  private static boolean isWritten(String text, int at) {
    return startsReference(text, at + 1);
  }

  /** Whether {@code amp;} or {@code lt;} stands at {@code at}. */
  private static boolean startsReference(String text, int at) {
    return text.startsWith("amp;", at) || text.startsWith("lt;", at);
  }

  /** Whether {@code text} goes on, after a {@code <}, like a tag of the grammar. */
  static boolean nameFollows(String text, int at) {
    int from = at < text.length() && text.charAt(at) == '/' ? at + 1 : at;
    int to = from;
    while (to < text.length() && to - from <= ScaffoldTag.NAME_MAX
        && ScaffoldTag.isNameChar(text.charAt(to))) {
      to++;
    }
    return ScaffoldTag.of(text.substring(from, to), from > at) != null;
  }

  static String writeAttribute(String value) {
    return value.replace("&", AMP).replace("<", LT).replace("\"", QUOT);
  }

  static String writeQuery(String query) {
    StringBuilder out = new StringBuilder(query.length() + 16);
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      if (c == '<' && nameFollows(query, i + 1)) {
        out.append(LT);
      } else if (c == '&' && !reference(query, i).isEmpty()) {
        out.append(AMP);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  static String readAll(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      String reference = text.charAt(i) == '&' ? reference(text, i) : "";
      out.append(
          switch (reference) {
            case AMP -> '&';
            case LT -> '<';
            case GT -> '>';
            case QUOT -> '"';
            case String other -> text.charAt(i);
          });
      i += Math.max(1, reference.length());
    }
    return out.toString();
  }

  private static String reference(String text, int at) {
    for (String known : new String[] {AMP, LT, GT, QUOT}) {
      if (text.startsWith(known, at)) {
        return known;
      }
    }
    return "";
  }
}
