package rubricem.actors.extractive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import rubricem.protocol.report.ReportLanguage;

/**
 * English for the words of a question in another language, so that it also finds documents in
 * English. It knows beginnings of everyday words and takes compounds apart; what it does not know
 * stays as it is, which is right for names. It does not translate: order and grammar are lost.
 */
final class Glossary {
  private static final String FILE = "/extractive/glossary.txt";

  /** What may follow a known beginning: an ending, or a joining letter in a compound. */
  private static final int ENDING_MAX = 5;

  /** Beginnings shorter than this only stand for whole words. */
  private static final int BEGINNING_MIN = 4;

  /** German, French, Spanish, Italian endings of words of Latin stock. */
  private static final String[][] ENDINGS = {
    {"tionen", "tion"}, {"tion", "tion"}, {"tierung", "tion"}, {"ierungen", "ation"},
    {"ierung", "ation"}, {"ieren", "e"}, {"iert", "ed"}, {"ität", "ity"}, {"itäten", "ity"},
    {"ción", "tion"}, {"ciones", "tion"}, {"zione", "tion"}, {"zioni", "tion"}, {"ção", "tion"},
    {"ité", "ity"}, {"idad", "ity"}, {"ità", "ity"}, {"ismus", "ism"}, {"logie", "logy"}
  };

  private static final Map<String, Glossary> BY_LANGUAGE = read();

  private final Map<String, String> english = new HashMap<>();
  private int longest;

  private Glossary() {}

  /** The text in English as far as words are known; the same text for English. */
  static String english(String text, ReportLanguage language) {
    Glossary glossary = BY_LANGUAGE.get(language.tag());
    if (glossary == null) {
      return text;
    }
    Set<String> words = new LinkedHashSet<>();
    boolean pairs = language == ReportLanguage.CHINESE;
    if (pairs) {
      glossary.scan(text, words);
    } else {
      for (Words.Word word : Words.all(text)) {
        if (Words.carries(word)) {
          String known = glossary.word(Words.lower(word.surface()));
          String near = known.isEmpty() ? cognate(Words.lower(word.surface())) : known;
          words.add(near.isEmpty() ? word.surface() : near);
        }
      }
    }
    return words.isEmpty() ? text : String.join(" ", words);
  }

  /** The words of the text that this glossary does not know; none where there is no glossary. */
  static List<String> unknown(String text, ReportLanguage language) {
    Glossary glossary = BY_LANGUAGE.get(language.tag());
    if (glossary == null || language == ReportLanguage.CHINESE) {
      return List.of();
    }
    return Words.all(text).stream()
        .filter(Words::carries)
        .filter(w -> w.surface().codePoints().allMatch(Character::isLetter))
        .filter(w -> glossary.word(Words.lower(w.surface())).isEmpty())
        .map(Words.Word::surface).distinct().toList();
  }

  /** Words of Latin stock are nearly the same in English; what is not one of them stays. */
  private static String cognate(String word) {
    String latin = word.replace('k', 'c');
    for (String[] ending : ENDINGS) {
      int stem = word.length() - ending[0].length();
      if (stem >= BEGINNING_MIN && word.endsWith(ending[0])) {
        return latin.substring(0, stem) + ending[1];
      }
    }
    return "";
  }

  /** For scripts without blanks: the longest known stretch at each place; other scripts stay. */
  private void scan(String text, Set<String> words) {
    int i = 0;
    while (i < text.length()) {
      int point = text.codePointAt(i);
      int length = known(text, i);
      if (length > 0) {
        words.add(english.get(text.substring(i, i + length)));
        i += length;
      } else if (Character.isLetterOrDigit(point)
          && Character.UnicodeScript.of(point) != Character.UnicodeScript.HAN) {
        int to = i;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to))
            || text.charAt(to) == '_') && text.charAt(to) < 0x2E80) {
          to++;
        }
        to = Math.max(to, i + Character.charCount(point));
        words.add(text.substring(i, to));
        i = to;
      } else {
        i += Character.charCount(point);
      }
    }
  }

  private int known(String text, int from) {
    for (int n = Math.min(longest, text.length() - from); n > 0; n--) {
      if (english.containsKey(text.substring(from, from + n))) {
        return n;
      }
    }
    return 0;
  }

  /** English for one word; empty where it is not known. */
  private String word(String word) {
    for (int n = Math.min(longest, word.length()); n >= 2; n--) {
      String meaning = english.get(word.substring(0, n));
      if (meaning == null || n < BEGINNING_MIN && word.length() > n + 1) {
        continue;
      }
      int rest = word.length() - n;
      String more = rest < BEGINNING_MIN ? "" : compound(word, n);
      if (rest <= ENDING_MAX || !more.isEmpty()) {
        return more.isEmpty() ? meaning : meaning + " " + more;
      }
    }
    return "";
  }

  private String compound(String word, int from) {
    for (int skip = 0; skip <= 3 && from + skip + BEGINNING_MIN <= word.length(); skip++) {
      String meaning = word(word.substring(from + skip));
      if (!meaning.isEmpty()) {
        return meaning;
      }
    }
    return "";
  }

  private static Map<String, Glossary> read() {
    Map<String, Glossary> all = new HashMap<>();
    try (InputStream file = Objects.requireNonNull(Glossary.class.getResourceAsStream(FILE));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      Glossary current = new Glossary();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("[")) {
          current = new Glossary();
          all.put(line.substring(1, line.indexOf(']')), current);
        } else if (!line.startsWith("#")) {
          current.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the glossary of this program cannot be read", e);
    }
    return Map.copyOf(all);
  }

  private void add(String line) {
    for (String entry : line.split(";\\s*")) {
      int at = entry.indexOf('=');
      if (at > 0) {
        String key = entry.substring(0, at).strip();
        english.putIfAbsent(key, entry.substring(at + 1).strip());
        longest = Math.max(longest, key.length());
      }
    }
  }
}
