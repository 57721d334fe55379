package rubricem.protocol.report;

/** Markers like {@code [1]} that a policy wrote itself: they name no entry of our list. */
final class Markers {
  private Markers() {}

  /** Whether the brackets hold a number of up to three digits, or a footnote's name. */
  static boolean isForeign(CharSequence text, int open, int close) {
    int from = open + 1;
    int to = close;
    while (from < to && " \\[".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (to > from && " \\]".indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    if (from < to && text.charAt(from) == '^') {
      return to - from <= 40;
    }
    for (int i = from; i < to; i++) {
      if (!Character.isDigit(text.charAt(i))) {
        return false;
      }
    }
    return to - from >= 1 && to - from <= 3;
  }
}
