package rubricem.actors.extractive;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Text as the words that carry meaning, for texts of any language. Words are folded (case, accents,
 * wide forms) and stemmed lightly; scripts without blanks give pairs of characters; a compound such
 * as {@code max_connections} gives itself and its parts. The same text gives the same words.
 */
final class Words {
  /** More words of one text do not change what it is about. */
  private static final int WORDS_MAX = 2_000;

  private static final int STEM_MIN = 3;

  /**
   * @param surface as written
   * @param stem what is compared
   */
  record Word(String surface, String stem, int from, int to) {}

  private Words() {}

  /** The words in order, stop words included. */
  static List<Word> all(String text) {
    List<Word> words = new ArrayList<>();
    int i = 0;
    while (i < text.length() && words.size() < WORDS_MAX) {
      int point = text.codePointAt(i);
      if (!inWord(point)) {
        i += Character.charCount(point);
        continue;
      }
      int to = i;
      boolean unparted = unparted(point);
      while (to < text.length() && inWord(text.codePointAt(to))
          && unparted(text.codePointAt(to)) == unparted) {
        to += Character.charCount(text.codePointAt(to));
      }
      if (unparted) {
        pairs(words, text, i, to);
      } else {
        compound(words, text, i, to);
      }
      i = to;
    }
    return words;
  }

  /** The stems of the words that are no stop words, each once. */
  static Set<String> terms(String text) {
    Set<String> terms = new LinkedHashSet<>();
    for (Word word : all(text)) {
      if (carries(word)) {
        terms.add(word.stem());
      }
    }
    return terms;
  }

  static boolean carries(Word word) {
    return word.stem().length() > 1 && !StopWords.contains(lower(word.surface()))
        || word.surface().codePoints().allMatch(Character::isDigit);
  }

  static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  private static void pairs(List<Word> words, String text, int from, int to) {
    int[] starts = new int[to - from + 1];
    int n = 0;
    for (int i = from; i < to; i += Character.charCount(text.codePointAt(i))) {
      starts[n++] = i;
    }
    starts[n] = to;
    for (int i = 0; i + 1 < n && words.size() < WORDS_MAX; i++) {
      String pair = text.substring(starts[i], starts[i + 2]);
      words.add(new Word(pair, pair, starts[i], starts[i + 2]));
    }
    if (n == 1) {
      String one = text.substring(from, to);
      words.add(new Word(one, one, from, to));
    }
  }

  private static void compound(List<Word> words, String text, int from, int to) {
    String whole = text.substring(from, to);
    words.add(new Word(whole, stem(fold(whole)), from, to));
    if (whole.indexOf('_') < 0) {
      return;
    }
    int at = from;
    for (String part : whole.split("_")) {
      if (!part.isEmpty()) {
        words.add(new Word(part, stem(fold(part)), at, at + part.length()));
      }
      at += part.length() + 1;
    }
  }

  private static boolean inWord(int point) {
    return Character.isLetterOrDigit(point) || point == '_' || Character.getType(point)
        == Character.NON_SPACING_MARK || Character.getType(point)
        == Character.COMBINING_SPACING_MARK;
  }

  private static boolean unparted(int point) {
    if (point < 0x0E00) {
      return false;
    }
    return switch (Character.UnicodeScript.of(point)) {
      case HAN, HIRAGANA, KATAKANA, HANGUL, THAI, LAO, KHMER, MYANMAR -> true;
      default -> false;
    };
  }

  static String fold(String word) {
    boolean ascii = word.chars().allMatch(c -> c < 128);
    String lower = lower(word);
    return ascii
        ? lower
        : Normalizer.normalize(lower, Normalizer.Form.NFKD).replaceAll("\\p{Mn}+", "");
  }

  /** Takes the commonest endings off Latin words; both sides of a comparison go the same way. */
  static String stem(String word) {
    if (word.length() <= STEM_MIN || !word.chars().allMatch(c -> c >= 'a' && c <= 'z')) {
      return word;
    }
    String s = word;
    if (s.endsWith("ies") && s.length() > 4) {
      s = s.substring(0, s.length() - 3) + "y";
    } else if (s.endsWith("sses") || s.endsWith("xes") || s.endsWith("ches")
        || s.endsWith("shes")) {
      s = s.substring(0, s.length() - 2);
    } else if (s.endsWith("s") && !s.endsWith("ss") && !s.endsWith("us") && !s.endsWith("is")) {
      s = s.substring(0, s.length() - 1);
    }
    for (String ending : new String[] {"ization", "ation", "ingly", "ing", "edly", "ed", "ly",
        "ment", "er", "or", "ion", "al"}) {
      if (s.endsWith(ending) && s.length() - ending.length() >= STEM_MIN
          && hasVowel(s, s.length() - ending.length())) {
        s = s.substring(0, s.length() - ending.length());
        break;
      }
    }
    int n = s.length();
    if (n > STEM_MIN && s.charAt(n - 1) == s.charAt(n - 2)
        && "aeiouls".indexOf(s.charAt(n - 1)) < 0) {
      s = s.substring(0, n - 1);
    }
    if (s.length() > STEM_MIN && (s.endsWith("e") || s.endsWith("y"))) {
      s = s.substring(0, s.length() - 1);
    }
    return s;
  }

  private static boolean hasVowel(String s, int to) {
    for (int i = 0; i < to; i++) {
      if ("aeiouy".indexOf(s.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }
}
