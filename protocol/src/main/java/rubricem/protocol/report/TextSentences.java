package rubricem.protocol.report;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts a passage into sentences of any language. Each stands in the passage verbatim. */
final class TextSentences {
  /** A sentence shown as a quote; what is longer is a table or a list and is cut. */
  private static final int SENTENCE_MAX = 400;

  /** Far more than a passage holds; bounds the work for a whole page stored as one passage. */
  private static final int PASSAGE_MAX = 20_000;

  private TextSentences() {}

  static List<String> of(String passage) {
    String text = passage.substring(0, Math.min(passage.length(), PASSAGE_MAX));
    List<String> sentences = new ArrayList<>();
    BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
    for (String block : text.split("\n\\s{0,8}\n")) {
      breaks.setText(block);
      int from = breaks.first();
      for (int to = breaks.next(); to != BreakIterator.DONE; to = breaks.next()) {
        add(sentences, block.substring(from, to).strip());
        from = to;
      }
    }
    return sentences;
  }

  private static void add(List<String> sentences, String sentence) {
    String rest = sentence;
    while (rest.length() > SENTENCE_MAX) {
      int cut = rest.lastIndexOf(' ', SENTENCE_MAX);
      int at = cut > SENTENCE_MAX / 2 ? cut : rest.offsetByCodePoints(0, SENTENCE_MAX / 2);
      sentences.add(rest.substring(0, at).strip());
      rest = rest.substring(at).strip();
    }
    if (rest.codePoints().anyMatch(Character::isLetterOrDigit)) {
      sentences.add(rest);
    }
  }
}
