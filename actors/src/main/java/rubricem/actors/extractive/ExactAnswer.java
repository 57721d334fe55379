package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shortest stretch of a quoted sentence that answers: an amount where one is wanted, else the
 * names the question did not hold. Where more than one could be meant it is the whole sentence.
 * Taken from the sentence, never made.
 */
final class ExactAnswer {
  private static final int CHARS_MAX = 200;

  /**
   * "default is 5", "default value of 5", "default toll is 5", "default 5"; the value to its end.
   */
  private static final Pattern DEFAULT =
      Pattern.compile(
          "\\bdefault(?:(?: \\p{L}[\\p{L}\\p{N}_-]*){0,3}? is|(?: value| setting)?(?: of)?)"
              + "(?: typically| normally)? ([^;,()]{1,60}?)(?=[;,()]|\\.(?:\\s|$)|$)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern AMOUNT =
      Pattern.compile("[-+]?\\d[\\d.,]*(?<![.,])\\s?(?:%|[\\p{L}]{1,12}\\b)?");

  /** A word behind a number that is no unit. */
  private static final Pattern NO_UNIT =
      Pattern.compile(
          "(?i)\\s+(?:of|is|are|was|were|in|to|and|or|the|for|at|on|by|as|if|that|than|has|have|an?)$");

  /** Asks for a size: its answer has a unit. */
  private static final Pattern MEASURED =
      Pattern.compile(
          "\\bhow (?:long|large|big|far|high|tall|wide|deep|heavy|fast)\\b"
              + "|\\bwie (?:lange?|groß|hoch|breit|tief|schwer|schnell|weit)\\b",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  /** Asks for a number of something: its answer is followed by that. */
  private static final Pattern COUNTED =
      Pattern.compile(
          "\\b(?:how many|wie ?viele)\\s+(\\p{L}+)",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final Pattern YEAR = Pattern.compile("^(?:1\\d|20)\\d{2}(?![\\d.,])");

  /** More words than these are no value but the rest of a sentence. */
  private static final int VALUE_WORDS_MAX = 4;

  private static final Pattern NAME =
      Pattern.compile(
          "\\p{Lu}[\\p{L}\\p{N}'’.-]*"
              + "(?:\\s+(?:(?:of|de|van|von|the)\\s+)?\\p{Lu}[\\p{L}\\p{N}'’.-]*)*"
              + "|\\b[\\p{L}\\p{N}]+_[\\p{L}\\p{N}_]+\\b");

  private ExactAnswer() {}

  /** @param label the term that the sentence defines; may be empty */
  static String of(Question question, Facet facet, String sentence, String label) {
    List<String> candidates = new ArrayList<>();
    if (facet.wanted() == Facet.Wanted.DEFAULT) {
      collect(DEFAULT, 1, sentence, candidates);
      candidates.removeIf(c -> c.split("\\s+").length > VALUE_WORDS_MAX);
    }
    if (facet.wanted() != Facet.Wanted.ANYTHING) {
      if (candidates.isEmpty()) {
        amounts(question, facet, sentence, candidates);
      }
    } else {
      names(sentence, candidates);
      candidates.removeIf(c -> Words.terms(c).stream().allMatch(question::says));
      if (!label.isEmpty() && candidates.isEmpty()) {
        candidates.add(label);
      }
    }
    String answer = candidates.isEmpty() ? sentence : candidates.getFirst();
    return boxable(answer);
  }

  /** A word before a colon heads what follows. */
  private static void names(String sentence, List<String> into) {
    Matcher matcher = NAME.matcher(sentence);
    while (matcher.find()) {
      if (!sentence.startsWith(":", matcher.end())) {
        into.add(matcher.group().strip().replaceFirst("[.'’-]+$", ""));
      }
    }
  }

  /**
   * The amount that the question did not name itself and that has the unit it asks for; none where
   * several are left.
   */
  private static void amounts(
      Question question, Facet facet, String sentence, List<String> into) {
    List<String> found = new ArrayList<>();
    amounts(question, sentence, found);
    List<String> fitting = found.stream().filter(a -> fits(facet.text(), a)).distinct().toList();
    if (fitting.size() == 1) {
      into.add(fitting.getFirst());
    }
  }

  private static boolean fits(String asked, String amount) {
    Matcher counted = COUNTED.matcher(asked);
    if (counted.find()) {
      return Words.terms(amount).containsAll(Words.terms(counted.group(1)));
    }
    return !MEASURED.matcher(asked).find()
        || !YEAR.matcher(amount).find()
            && amount.codePoints().anyMatch(c -> Character.isLetter(c) || c == '%');
  }

  private static void amounts(Question question, String sentence, List<String> into) {
    List<String> found = new ArrayList<>();
    collect(AMOUNT, 0, sentence, found);
    for (String amount : found) {
      String bare = NO_UNIT.matcher(amount).replaceFirst("");
      String number = bare.replaceAll("[^\\d.,].*$", "");
      if (!question.text().contains(number)) {
        into.add(bare);
      }
    }
  }

  private static void collect(Pattern pattern, int group, String text, List<String> into) {
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      String found = matcher.group(group).strip();
      if (!found.isEmpty()) {
        into.add(found);
      }
    }
  }

  private static String boxable(String answer) {
    String plain = answer.replaceAll("[{}\\\\]", " ").strip();
    int cut = Math.min(plain.length(), CHARS_MAX);
    cut -= cut < plain.length() && Character.isHighSurrogate(plain.charAt(cut - 1)) ? 1 : 0;
    return Quote.escape(plain.substring(0, cut));
  }
}
