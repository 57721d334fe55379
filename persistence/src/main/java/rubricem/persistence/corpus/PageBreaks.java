package rubricem.persistence.corpus;

import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Puts a sentence together that a page break cuts: its end moves to the page where it begins. Done
 * only where both sides say so, an open end before the break and a small letter after it; what is
 * doubtful, such as a footnote or a title, stays on its page. No word is lost. Pure.
 */
final class PageBreaks {
  /** More of a sentence than this is a sign that its end was not found. */
  private static final int TAIL_WORDS_MAX = 80;

  /** A shorter last line of a page is the end of a paragraph, a title or a caption. */
  private static final int LINE_CHARS_MIN = 35;

  private static final Pattern NOTE = Pattern.compile("\\A(\\d|[*†‡§]|\\[\\d)");
  private static final Pattern OPEN_END = Pattern.compile("[\\p{L}\\d,\\-\u2010\u2013)]\\z");

  private PageBreaks() {}

  /** @param pages the paragraphs of each page, changed in place */
  static void mend(List<List<String>> pages) {
    for (int i = 0; i + 1 < pages.size(); i++) {
      List<String> page = pages.get(i);
      List<String> next = pages.get(i + 1);
      if (!page.isEmpty() && !next.isEmpty() && goesOn(page.getLast(), next.getFirst())) {
        int end = sentenceEnd(next.getFirst());
        String tail = next.getFirst().substring(0, end);
        if (Words.count(tail) <= TAIL_WORDS_MAX) {
          page.set(page.size() - 1, page.getLast() + "\n" + tail.strip());
          String rest = next.getFirst().substring(end).strip();
          next.removeFirst();
          if (!rest.isEmpty()) {
            next.addFirst(rest);
          }
        }
      }
    }
  }

  private static boolean goesOn(String before, String after) {
    String last = before.substring(before.lastIndexOf('\n') + 1);
    return OPEN_END.matcher(last).find()
        && last.length() >= LINE_CHARS_MIN
        && !NOTE.matcher(before).find()
        && Character.isLowerCase(after.codePointAt(0));
  }

  private static int sentenceEnd(String text) {
    // a line end inside a paragraph is none of the sentence
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text.replace('\n', ' '));
    sentences.first();
    return sentences.next();
  }
}
