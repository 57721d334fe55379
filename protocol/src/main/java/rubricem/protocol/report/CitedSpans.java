package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The cited claims of an answer as stretches of its text, for interfaces that cite by offsets. A
 * stretch is what a reader sees as the claim, found by going back from its number through the
 * claim's words; Markdown around and between them is passed over. The offsets are those of Java
 * strings; whoever counts otherwise converts them.
 */
public final class CitedSpans {
  private static final String MARKUP = "*_`~[]()<>#|\\>+-=.0123456789";
  private static final String EMPHASIS = "*_`~";

  private CitedSpans() {}

  /**
   * @param start first character of the claim in the answer's text
   * @param end one past its last
   * @param citations of this claim, in the order of their numbers behind it; never empty
   */
  public record Span(int start, int end, List<Citation> citations) {}

  /** The spans in the text that {@link NumberedAnswer} has, in its order. */
  public static List<Span> of(ReportModel model) {
    NumberedAnswer answer = NumberedAnswer.of(model);
    List<List<Citation>> byClaim = byClaim(model);
    List<Span> spans = new ArrayList<>();
    for (NumberedAnswer.Mark mark : answer.marks()) {
      List<Citation> citations = byClaim.get(mark.claim());
      int end = trimmedEnd(answer.text(), mark);
      if (!citations.isEmpty() && end > mark.from()) {
        String claim = citations.getFirst().claim();
        spans.add(new Span(start(answer.text(), mark.from(), end, claim), end, citations));
      }
    }
    return List.copyOf(spans);
  }

  /** Citations are listed claim by claim, one for each number of the claim. */
  private static List<List<Citation>> byClaim(ReportModel model) {
    List<List<Citation>> byClaim = new ArrayList<>();
    int at = 0;
    for (List<Integer> numbers : model.marks()) {
      int to = Math.min(at + numbers.size(), model.citations().size());
      byClaim.add(model.citations().subList(Math.min(at, to), to));
      at = to;
    }
    return byClaim;
  }

  private static int trimmedEnd(String text, NumberedAnswer.Mark mark) {
    int end = mark.end();
    while (end > mark.from() && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  private static int start(String text, int from, int end, String claim) {
    int i = end - 1;
    int j = claim.length() - 1;
    int first = end;
    while (i >= from && j >= 0) {
      char wanted = claim.charAt(j);
      char found = text.charAt(i);
      if (found == wanted) {
        first = i;
        i--;
        j--;
      } else if (Character.isWhitespace(wanted)) {
        j--;
      } else if (found == ')' && linkOpens(text, from, i) >= 0) {
        i = linkOpens(text, from, i);
      } else if (Character.isWhitespace(found) || MARKUP.indexOf(found) >= 0) {
        i--;
      } else {
        return startOfLine(text, from, end);
      }
    }
    if (j >= 0 && !claim.substring(0, j + 1).isBlank()) {
      return startOfLine(text, from, end);
    }
    while (first > from && EMPHASIS.indexOf(text.charAt(first - 1)) >= 0) {
      first--;
    }
    return first;
  }

  /** The bracket that ends the text of a link whose target ends at {@code close}, or -1. */
  private static int linkOpens(String text, int from, int close) {
    int open = text.lastIndexOf("](", close);
    return open >= Math.max(from, text.lastIndexOf('\n', close) + 1) ? open : -1;
  }

  /** Where the words cannot be found again: the line that the number stands on. */
  private static int startOfLine(String text, int from, int end) {
    int start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
    while (start < end - 1
        && (Character.isWhitespace(text.charAt(start))
            || "#>*+-|".indexOf(text.charAt(start)) >= 0)) {
      start++;
    }
    return start;
  }
}
