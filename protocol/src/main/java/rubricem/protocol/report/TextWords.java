package rubricem.protocol.report;

import java.text.BreakIterator;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The words of a text that carry meaning, and whether the text is negated. Scripts that write no
 * blanks are taken in pairs of characters. Words are compared by their beginnings, which stands in
 * for the grammar of many languages.
 */
record TextWords(Set<String> words, boolean negated) {
  /** A claim or a sentence has fewer words; bounds the comparison of two texts. */
  private static final int WORDS_MAX = 400;

  private static final Set<String> NEGATIONS =
      Set.of(
          "not", "no", "never", "none", "neither", "nor", "without", "cannot", "n't", "nicht",
          "kein", "keine", "keinen", "keiner", "nie", "niemals", "ohne", "pas", "jamais", "aucun",
          "aucune", "sans", "nunca", "sin", "não", "nem", "sem", "non", "mai", "senza", "niet",
          "geen", "nooit", "zonder", "bez", "nigdy", "не", "нет", "никогда", "без", "değil",
          "yok", "لا", "ليس", "لم", "لن", "غير", "לא", "אין", "בלי", "ない", "않");

  /** Characters that negate by themselves where words are not parted. */
  private static final String NEGATING = "不没沒未無无非";

  private static final Set<String> EMPTY =
      Set.of(
          "the", "and", "for", "that", "this", "with", "from", "was", "were", "are", "has", "have",
          "had", "its", "their", "his", "her", "which", "who", "been", "also", "than", "then",
          "there", "into", "such", "these", "those", "about", "der", "die", "das", "und", "ist",
          "war", "von", "mit", "für", "auf", "dem", "den", "des", "ein", "eine", "einer", "eines",
          "wird", "wurde", "les", "une", "est", "dans", "pour", "par", "sur", "qui", "que",
          "los", "las", "una", "por", "con", "para", "del", "het", "een", "van", "uma", "dos",
          "com", "che", "della", "nel", "per");

  static TextWords of(String text) {
    String folded = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    Set<String> words = new LinkedHashSet<>();
    int negations = 0;
    BreakIterator breaks = BreakIterator.getWordInstance(Locale.ROOT);
    breaks.setText(folded);
    int from = breaks.first();
    for (int to = breaks.next(); to != BreakIterator.DONE; to = breaks.next()) {
      String word = folded.substring(from, to);
      boolean only = folded.startsWith(" only", to);
      negations += !only && negates(word) ? 1 : 0;
      if (words.size() < WORDS_MAX) {
        add(words, word);
      }
      from = to;
    }
    return new TextWords(words, negations % 2 == 1);
  }

  private static boolean negates(String word) {
    return NEGATIONS.contains(word) || word.endsWith("n't") || word.endsWith("n’t")
        || word.codePoints().anyMatch(c -> NEGATING.indexOf(c) >= 0);
  }

  private static void add(Set<String> words, String word) {
    if (!word.codePoints().anyMatch(Character::isLetterOrDigit)) {
      return;
    }
    if (word.codePoints().anyMatch(TextWords::unparted)) {
      int[] points = word.codePoints().filter(Character::isLetterOrDigit).toArray();
      for (int i = 0; i + 1 < points.length; i++) {
        words.add(new String(points, i, 2));
      }
      if (points.length == 1) {
        words.add(word);
      }
    } else if (!EMPTY.contains(word)
        && (word.length() > 2 || word.codePoints().anyMatch(Character::isDigit))) {
      words.add(word);
    }
  }

  private static boolean unparted(int c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, HANGUL, THAI, LAO, KHMER, MYANMAR -> true;
      default -> false;
    };
  }

  /** The share of these words that the other text has; 0 where there are none. */
  double coveredBy(TextWords other) {
    if (words.isEmpty()) {
      return 0;
    }
    Set<String> exact = new HashSet<>(other.words);
    List<String> rest = List.copyOf(other.words);
    long found =
        words.stream()
            .filter(w -> exact.contains(w) || rest.stream().anyMatch(o -> sameStem(w, o)))
            .count();
    return (double) found / words.size();
  }

  private static boolean sameStem(String a, String b) {
    int longer = Math.max(a.length(), b.length());
    int shorter = Math.min(a.length(), b.length());
    int needed = Math.max(4, (int) Math.ceil(longer * 0.6));
    return shorter >= needed && a.regionMatches(0, b, 0, needed)
        && a.chars().noneMatch(Character::isDigit);
  }
}
