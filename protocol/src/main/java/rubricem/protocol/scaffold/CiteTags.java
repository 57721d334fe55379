package rubricem.protocol.scaffold;

/** Takes the cite tags out of an answer, to see whether any text is left. One pass. */
final class CiteTags {
  private static final String NAME = "cite";

  private CiteTags() {}

  static String without(String answer) {
    StringBuilder left = new StringBuilder();
    int i = 0;
    while (i < answer.length()) {
      int end = answer.charAt(i) == '<' ? end(answer, i) : i;
      if (end == i) {
        left.append(answer.charAt(i++));
      } else {
        i = end;
      }
    }
    return left.toString();
  }

  /** One past the cite tag that begins at {@code from}; {@code from} if none does. */
  private static int end(String answer, int from) {
    int name = answer.startsWith("/", from + 1) ? from + 2 : from + 1;
    if (!answer.regionMatches(true, name, NAME, 0, NAME.length())) {
      return from;
    }
    int at = name + NAME.length();
    while (at < answer.length() && answer.charAt(at) != '>' && answer.charAt(at) != '<') {
      at++;
    }
    return at < answer.length() && answer.charAt(at) == '>' ? at + 1 : from;
  }
}
