package rubricem.protocol.report;

/**
 * Finds code spans the careful way: within one line, and never across what could be the border of a
 * table cell, where its halves would pair with the next span's. A span not found here is escaped by
 * the caller, so that every reader of Markdown agrees that it is none.
 */
final class CodeSpans {
  private CodeSpans() {}

  static int run(CharSequence text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) == '`') {
      i++;
    }
    return i - from;
  }

  /**
   * One past the span that opens here, or -1.
   *
   * @param cells whether a bar may be the border of a table cell
   */
  static int end(String text, int from, boolean cells) {
    int length = run(text, from);
    int i = from + length;
    int stop = Math.min(text.length(), from + 2_000);
    while (i < stop && text.charAt(i) != '\n') {
      char c = text.charAt(i);
      if (c == '`') {
        int run = run(text, i);
        if (run == length) {
          return i + run;
        }
        i += run;
      } else if (cells && c == '|' && text.charAt(i - 1) != '\\') {
        return -1;
      } else {
        i++;
      }
    }
    return -1;
  }
}
