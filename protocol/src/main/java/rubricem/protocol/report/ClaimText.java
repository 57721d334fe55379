package rubricem.protocol.report;

/** A claim as words: what a reader sees of it, without the Markdown around. */
final class ClaimText {
  /** A claim longer than this is a whole section; its start is enough to compare and to show. */
  private static final int SHOWN_MAX = 2_000;

  private ClaimText() {}

  static String plain(String claim) {
    String cut = claim.length() > SHOWN_MAX ? claim.substring(0, SHOWN_MAX) : claim;
    StringBuilder out = new StringBuilder(cut.length());
    for (String line : MarkdownText.clean(cut).split("\n")) {
      String bare = line.strip();
      if (!isRule(bare) && !bare.startsWith("```") && !bare.startsWith("~~~")) {
        appendLine(out, bare);
      }
    }
    return MarkdownText.line(out.toString());
  }

  private static void appendLine(StringBuilder out, String line) {
    int from = 0;
    while (from < line.length() && "#>*+-| ".indexOf(line.charAt(from)) >= 0) {
      boolean sign = line.charAt(from) == '-' && from + 1 < line.length()
          && Character.isDigit(line.charAt(from + 1));
      if (sign) {
        break;
      }
      from++;
    }
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      int end = c == ']' ? endOfTarget(line, i + 1) : i;
      if (end > i) {
        i = end;
      } else if (c == '\\' && i + 1 < line.length()
          && "*_`[]|<>#".indexOf(line.charAt(i + 1)) >= 0) {
        out.append(line.charAt(++i));
      } else if (c == '|') {
        out.append(' ');
      } else if ("*`[]".indexOf(c) < 0) {
        out.append(c);
      }
    }
    out.append(' ');
  }

  /** The last character of a link's target that starts here, or -1. */
  private static int endOfTarget(String line, int from) {
    return from < line.length() && line.charAt(from) == '(' ? line.indexOf(')', from) : -1;
  }

  /** A line that draws something instead of saying something. */
  static boolean isRule(String line) {
    return !line.isEmpty() && line.chars().allMatch(c -> "-=*_|: ".indexOf(c) >= 0);
  }
}
