package rubricem.persistence.corpus;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/**
 * Measures text in words, also where a language writes none apart. A bar between the cells of a row
 * of {@link TableRows} is none; in program text it is one like any other sign.
 */
final class Words {
  private static final Set<UnicodeScript> WITHOUT_SPACES =
      EnumSet.of(
          UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA, UnicodeScript.THAI,
          UnicodeScript.LAO, UnicodeScript.KHMER, UnicodeScript.MYANMAR, UnicodeScript.TIBETAN);

  /** A run longer than this is no word but data, and counts by its length. */
  private static final int LONG_RUN = 24;

  private Words() {}

  static int count(CharSequence text) {
    int words = 0;
    int run = 0;
    int dense = 0;
    int row = rowEnd(text, 0);
    for (int i = 0; i < text.length(); ) {
      int c = Character.codePointAt(text, i);
      i += Character.charCount(c);
      if (Character.isWhitespace(c)) {
        words += ofRun(run);
        run = 0;
        row = c == '\n' ? rowEnd(text, i) : row;
      } else if (c > 0xDFF && WITHOUT_SPACES.contains(UnicodeScript.of(c))) {
        dense++;
      } else if (c != '|' || i > row || !standsAlone(text, i - 1)) {
        run++;
      }
    }
    return words + ofRun(run) + (dense + 1) / 2;
  }

  /** Where the row ends whose line begins there; -1 where the line is no row. */
  private static int rowEnd(CharSequence text, int from) {
    if (from >= text.length() || text.charAt(from) != '|') {
      return -1;
    }
    int end = from;
    while (end < text.length() && text.charAt(end) != '\n') {
      end++;
    }
    return end - from > 2 && text.charAt(end - 1) == '|' ? end : -1;
  }

  private static boolean standsAlone(CharSequence text, int at) {
    return (at == 0 || Character.isWhitespace(text.charAt(at - 1)))
        && (at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1)));
  }

  private static int ofRun(int run) {
    return run == 0 ? 0 : run <= LONG_RUN ? 1 : run / 8;
  }
}
