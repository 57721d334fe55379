package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The shortest stretch of a quoted sentence that answers: an amount where one is wanted, else the
 * names the question did not hold. Where more than one could be meant it is the whole sentence. Of
 * a row it is a cell or all of it, see {@link RowAnswer}; of a name and its value the value. Taken
 * from the sentence, never made.
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

  /** "Voltage: 750 V". */
  private static final Pattern KEYED = Pattern.compile("^([^:]{1,80}): (\\S.*)$");

  /** The sign of a unit or of money, where it stands behind a number. */
  private static final Pattern UNIT = Pattern.compile("\\p{Lu}{1,4}|\\p{Lu}\\p{Ll}");

  private static final Pattern NUMBER_BEFORE = Pattern.compile("\\d\\s?$");

  private ExactAnswer() {}

  /**
   * The same of a sentence that may be a row.
   *
   * @param cells of the row, the empty ones too; one where the sentence is none
   * @param names of its columns; one or none where it has no header
   */
  static String of(
      Question question, Facet facet, String sentence, String label, List<String> cells,
      List<String> names) {
    return cells.size() == 1
        ? of(question, facet, sentence, label)
        : boxable(RowAnswer.of(question, facet, cells, names).orElse(row(cells)));
  }

  private static String row(List<String> cells) {
    return cells.stream().filter(c -> !c.isEmpty()).collect(Collectors.joining(" | "));
  }

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
      value(question, sentence, candidates);
      names(sentence, candidates);
      candidates.removeIf(c -> Words.terms(c).stream().allMatch(question::says));
      if (!label.isEmpty() && candidates.isEmpty()) {
        candidates.add(label);
      }
    }
    String answer = candidates.isEmpty() ? sentence : candidates.getFirst();
    return boxable(answer);
  }

  private static void value(Question question, String sentence, List<String> into) {
    Matcher keyed = KEYED.matcher(sentence);
    if (keyed.matches()) {
      Set<String> name = Words.terms(keyed.group(1));
      if (!name.isEmpty() && name.stream().allMatch(question::says)) {
        into.add(keyed.group(2));
      }
    }
  }

  /** A word before a colon heads what follows, and a unit alone is no name. */
  private static void names(String sentence, List<String> into) {
    Matcher matcher = NAME.matcher(sentence);
    while (matcher.find()) {
      String name = matcher.group().strip().replaceFirst("[.'’-]+$", "");
      boolean unit = UNIT.matcher(name).matches()
          && NUMBER_BEFORE.matcher(sentence).region(0, matcher.start()).find();
      if (!unit && !sentence.startsWith(":", matcher.end())) {
        into.add(name);
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
