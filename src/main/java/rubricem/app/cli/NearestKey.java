package rubricem.app.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Guesses which key somebody meant: the whole of it misspelt, or its last word put elsewhere. */
final class NearestKey {
  /** One letter in so many may be wrong; more is another word. */
  private static final int LETTERS_PER_ERROR = 4;

  /** Keys of a section that are named in one line. */
  static final int SHOWN = 8;

  private NearestKey() {}

  /** The keys of a section, the likeliest first. */
  static List<String> first(String word, Set<String> keys) {
    return keys.stream()
        .sorted(
            Comparator.<String>comparingInt(key -> editing(word, key))
                .thenComparing(Comparator.naturalOrder()))
        .limit(SHOWN).toList();
  }

  static Optional<String> to(String key, List<String> known) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = Math.min(misspelt(key, candidate), misplaced(key, candidate));
      boolean sooner = distance == least && candidate.compareTo(best) < 0;
      if (distance < least || sooner) {
        best = candidate;
        least = distance;
      }
    }
    return least == Integer.MAX_VALUE ? Optional.empty() : Optional.of(best);
  }

  private static int misspelt(String key, String candidate) {
    return near(last(key), last(candidate)) < Integer.MAX_VALUE ? near(key, candidate)
        : Integer.MAX_VALUE;
  }

  /** Nearly the same last word elsewhere: worse than any slip of the pen in the right section. */
  private static int misplaced(String key, String candidate) {
    String a = last(key);
    String b = last(candidate);
    int distance = editing(a, b);
    return distance > Math.min(a.length(), b.length()) / LETTERS_PER_ERROR
        ? Integer.MAX_VALUE
        : distance * 100 + editing(key, candidate);
  }

  private static String last(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  private static int near(String a, String b) {
    int distance = editing(a, b);
    int bound = 1 + Math.max(a.length(), b.length()) / LETTERS_PER_ERROR;
    return distance <= bound ? distance : Integer.MAX_VALUE;
  }

  /** Levenshtein's distance, where {@code _}, {@code -} and the case of letters are alike. */
  private static int editing(String one, String other) {
    String a = one.replace('_', '-').toLowerCase(Locale.ROOT);
    String b = other.replace('_', '-').toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int corner = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int kept = corner + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        corner = row[j];
        row[j] = Math.min(kept, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
