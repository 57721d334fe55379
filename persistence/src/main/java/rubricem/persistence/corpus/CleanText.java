package rubricem.persistence.corpus;

/**
 * Takes out of a text what a reader cannot see: control characters, zero-width spaces, Unicode
 * tags, halves of surrogate pairs. Joiners stay, because Persian, Indic scripts and emoji need
 * them. Counts what it took, so that hidden text leaves a trace.
 */
final class CleanText {
  private int invisible;

  /** One line: every run of white space is one blank. */
  String line(String raw) {
    return clean(raw, false);
  }

  /** Keeps line ends and indentation. */
  String lines(String raw) {
    return clean(raw, true).stripTrailing();
  }

  int invisible() {
    return invisible;
  }

  private String clean(String raw, boolean keepLines) {
    StringBuilder out = new StringBuilder(raw.length());
    boolean gap = false;
    for (int i = 0; i < raw.length(); ) {
      int c = raw.codePointAt(i);
      i += Character.charCount(c);
      if (isGap(c)) {
        if (keepLines && c != '\r') {
          out.appendCodePoint(c == '\n' || c == '\t' ? c : ' ');
        }
        gap = true;
      } else if (isInvisible(c)) {
        invisible += c > 0x1F ? 1 : 0;
      } else {
        if (gap && !keepLines && !out.isEmpty()) {
          out.append(' ');
        }
        gap = false;
        out.appendCodePoint(c);
      }
    }
    return keepLines && out.toString().isBlank() ? "" : withoutBlankLinesBefore(out);
  }

  private static String withoutBlankLinesBefore(StringBuilder text) {
    int start = 0;
    for (int i = 0; i < text.length() && Character.isWhitespace(text.charAt(i)); i++) {
      if (text.charAt(i) == '\n') {
        start = i + 1;
      }
    }
    return text.substring(start);
  }

  private static boolean isGap(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }

  private static boolean isInvisible(int c) {
    return Character.isISOControl(c)
        || c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF
        || (c >= 0xE0000 && c <= 0xE007F)
        || (c >= 0xD800 && c <= 0xDFFF);
  }
}
