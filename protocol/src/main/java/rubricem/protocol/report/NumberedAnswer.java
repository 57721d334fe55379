package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.List;

/**
 * An answer with its numbers written out, and where each claim ends in it. The text is the one that
 * every form of a report shows; the ends are what citations with offsets are cut by.
 *
 * @param marks in the order of the text
 */
public record NumberedAnswer(String text, List<Mark> marks) {
  /**
   * @param claim the claim's index
   * @param from where the text before the claim's number may begin to belong to it: behind the
   *     number before
   * @param end one past the claim's last character, before the gap and the number
   */
  public record Mark(int claim, int from, int end) {}

  public static NumberedAnswer of(ReportModel model) {
    return of(model.body(), model.marks());
  }

  static NumberedAnswer of(String body, List<List<Integer>> numbers) {
    StringBuilder out = new StringBuilder(body.length() + 64);
    List<Mark> marks = new ArrayList<>();
    int at = 0;
    int from = 0;
    for (int open = body.indexOf(ClaimMarks.OPEN); open >= 0;
        open = body.indexOf(ClaimMarks.OPEN, at)) {
      int close = body.indexOf(ClaimMarks.CLOSE, open);
      out.append(body, at, open);
      int claim = Integer.parseInt(body.substring(open + 1, close));
      marks.add(new Mark(claim, from, out.length()));
      out.append(gapAfter(out));
      numbers.get(claim).forEach(n -> out.append('[').append(n).append(']'));
      at = close + 1;
      char next = at < body.length() ? body.charAt(at) : ' ';
      // the only bracket that opens anything here is that of a link of ours
      out.append(next == '(' || next == ':' ? "\\" : next == '[' ? " " : "");
      from = out.length();
    }
    return new NumberedAnswer(
        out.append(body, at, body.length()).toString(), List.copyOf(marks));
  }

  /** A blank before a number, except at the start of a line and after scripts without blanks. */
  static String gapAfter(CharSequence before) {
    if (before.isEmpty()) {
      return "";
    }
    char last = before.charAt(before.length() - 1);
    boolean close = Character.isWhitespace(last) || last == ']' || last == '|' || last == '('
        || last > 0x2E80 && Character.UnicodeScript.of(last) != Character.UnicodeScript.HANGUL;
    return close ? "" : " ";
  }
}
