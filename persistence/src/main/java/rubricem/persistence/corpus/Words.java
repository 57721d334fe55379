package rubricem.persistence.corpus;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/**
 * Measures text in words, also where a language writes none apart. A bar between cells is none.
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
    for (int i = 0; i < text.length(); ) {
      int c = Character.codePointAt(text, i);
      i += Character.charCount(c);
      if (Character.isWhitespace(c)) {
        boolean bar = run == 1 && text.charAt(i - Character.charCount(c) - 1) == '|';
        words += bar ? 0 : ofRun(run);
        run = 0;
      } else if (c > 0xDFF && WITHOUT_SPACES.contains(UnicodeScript.of(c))) {
        dense++;
      } else {
        run++;
      }
    }
    return words + ofRun(run) + (dense + 1) / 2;
  }

  private static int ofRun(int run) {
    return run == 0 ? 0 : run <= LONG_RUN ? 1 : run / 8;
  }
}
