package rubricem.actors.extractive;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import rubricem.actors.extractive.Evidence.Found;

/**
 * Names put together from parts, such as {@code PX-5075} or {@code cache.ttl}. Half of one is
 * another thing's: what a sentence says of {@code PX-2636} says nothing of {@code PX-5075}, however
 * many words they share. Written with another sign between its parts, or none, it is the same. Pure.
 *
 * @param asked as a facet has them; where there are none, nothing is refused
 */
record Codes(List<String> asked) {
  /** Parts with a digit somewhere and a letter somewhere, or words of two letters between dots. */
  private static final Pattern CODE =
      Pattern.compile(
          "(?<![\\p{L}\\p{N}_.-])(?:"
              + "(?=[\\p{L}\\p{N}.:/-]*\\p{L})(?=[\\p{L}\\p{N}.:/-]*\\p{N})"
              + "[\\p{L}\\p{N}]+(?:[-:/.][\\p{L}\\p{N}]+)+"
              + "|\\p{L}{2,}[\\p{L}\\p{N}_]*(?:\\.\\p{L}{2,}[\\p{L}\\p{N}_]*)+"
              + ")(?![\\p{L}\\p{N}_-])");

  private static final Pattern SIGN = Pattern.compile("[-:/.]");

  /** "timeout.write: 45 seconds" is an entry as a row is. */
  private static final Pattern KEYED = Pattern.compile("^[^:\\s]{1,80}: \\S.*");

  static Codes of(Facet facet) {
    return new Codes(
        facet.phrasings().stream().flatMap(p -> in(p.text()).stream()).distinct().toList());
  }

  /** Sentences of a passage but for those about another of its kind, and headers left without rows. */
  List<String> withoutOthers(List<String> sentences, Found passage) {
    if (asked.isEmpty() || named(passage.title())) {
      return sentences;
    }
    TableLines tables = TableLines.of(passage.text());
    List<String> left =
        sentences.stream().filter(s -> !areOthersIn(s, passage, tables)).toList();
    Set<List<String>> headers =
        left.stream().flatMap(s -> tables.header(s).stream()).map(tables::cellsOf)
            .collect(Collectors.toSet());
    return left.size() == sentences.size()
        ? sentences
        : left.stream()
            .filter(s -> !tables.isHeader(s) || headers.contains(tables.cellsOf(s)))
            .toList();
  }

  private boolean areOthersIn(String sentence, Found passage, TableLines tables) {
    if (named(sentence)) {
      return false;
    }
    boolean entry = tables.header(sentence).isPresent() || KEYED.matcher(sentence).matches();
    boolean others =
        in(sentence).stream().anyMatch(c -> asked.stream().anyMatch(a -> alike(a, c)));
    return others && (entry || !named(passage.text()));
  }

  private boolean named(String text) {
    return asked.stream().anyMatch(code -> loosely(code).matcher(text).find());
  }

  private static List<String> in(String text) {
    return CODE.matcher(text).results().map(r -> r.group().toLowerCase(Locale.ROOT)).toList();
  }

  private static Pattern loosely(String code) {
    String parts =
        SIGN.splitAsStream(code).map(Pattern::quote).collect(Collectors.joining("[-:/._ ]?"));
    return Pattern.compile(
        "(?<![\\p{L}\\p{N}])" + parts + "(?![\\p{L}\\p{N}])",
        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  private static boolean alike(String one, String other) {
    return shape(one).equals(shape(other));
  }

  /** Its signs, and whether what stands between them is words, numbers or both. */
  private static String shape(String code) {
    return code.replaceAll("\\p{N}+", "0").replaceAll("[\\p{L}_]+", "a");
  }
}
