package rubricem.actors.extractive;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.scaffold.OutsideText;

/**
 * Cuts a passage into what can be quoted of it: its sentences, its table rows, its lines. Each
 * stands in the passage word for word, but for line breaks. What would not survive being written
 * into an answer as it is (tags of a prompt, hidden characters, addresses that become links) is
 * not quotable.
 */
final class Sentences {
  /** A longer stretch is a table or code without ends; it is cut at a blank. */
  private static final int CHARS_MAX = 500;

  private static final int PASSAGE_CHARS_MAX = 20_000;

  private static final int SENTENCES_MAX = 200;

  /** A line shorter than this was ended by its author, not by the width of a page. */
  private static final int WRAPPED_MIN = 50;

  private Sentences() {}

  static List<String> of(String passage) {
    String text = passage.substring(0, Math.min(passage.length(), PASSAGE_CHARS_MAX));
    List<String> sentences = new ArrayList<>();
    BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
    for (String line : lines(text)) {
      if (line.length() <= CHARS_MAX && TableLines.isRow(line)) {
        add(sentences, line);
        continue;
      }
      breaks.setText(line);
      int from = breaks.first();
      for (int to = breaks.next(); to != BreakIterator.DONE; to = breaks.next()) {
        if (abbreviates(line, from, to) && to < line.length()) {
          continue;
        }
        add(sentences, line.substring(from, to));
        from = to;
      }
    }
    return sentences;
  }

  /** The lines, those that a page's width has broken joined again. */
  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    boolean goesOn = false;
    for (String line : text.split("\\R")) {
      String bare = line.strip();
      if (goesOn && !bare.isEmpty() && Character.isLetterOrDigit(bare.codePointAt(0))) {
        lines.set(lines.size() - 1, lines.getLast() + " " + bare);
      } else {
        lines.add(bare);
      }
      goesOn = bare.length() >= WRAPPED_MIN && bare.indexOf('|') < 0 && bare.indexOf('\t') < 0
          && ".!?:;。！？".indexOf(bare.charAt(bare.length() - 1)) < 0;
    }
    return lines;
  }

  /** Whether what ends here is no sentence: {@code e.g.}, {@code i.e.}, an initial. */
  private static boolean abbreviates(String line, int from, int to) {
    String end = line.substring(from, to).stripTrailing().toLowerCase(Locale.ROOT);
    return end.endsWith("e.g.") || end.endsWith("i.e.") || end.endsWith(" vs.")
        || end.endsWith(" cf.") || end.endsWith("z. b.") || end.endsWith("z.b.");
  }

  private static void add(List<String> sentences, String sentence) {
    String bare = bare(sentence);
    if (bare.length() > CHARS_MAX) {
      int space = bare.lastIndexOf(' ', CHARS_MAX);
      int cut = space > CHARS_MAX / 2 ? space : CHARS_MAX;
      cut -= Character.isHighSurrogate(bare.charAt(cut - 1)) ? 1 : 0;
      bare = bare.substring(0, cut).strip();
    }
    if (sentences.size() < SENTENCES_MAX && quotable(bare)) {
      sentences.add(bare);
    }
  }

  /** Without what would make a list, a quotation or a heading of it. */
  static String bare(String sentence) {
    String bare = sentence.strip();
    int from = 0;
    while (from < bare.length() && "#>*+-|•– ".indexOf(bare.charAt(from)) >= 0) {
      boolean sign = from + 1 < bare.length() && Character.isDigit(bare.charAt(from + 1));
      if (bare.charAt(from) == '-' && sign) {
        break;
      }
      from++;
    }
    int to = bare.length();
    while (to > from && "| ".indexOf(bare.charAt(to - 1)) >= 0) {
      to--;
    }
    return bare.substring(from, to);
  }

  private static boolean quotable(String sentence) {
    return sentence.codePoints().anyMatch(Character::isLetterOrDigit)
        && MarkdownText.clean(sentence).equals(sentence)
        && OutsideText.escape(sentence).equals(sentence)
        && sentence.indexOf('\\') < 0
        && !sentence.contains("](")
        && !sentence.contains("://")
        && !sentence.contains("www.");
  }
}
