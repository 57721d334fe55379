package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sides of a comparison, each with words of its own, so that each is searched by itself. */
final class Comparison {
  private static final String WITH = "(?:with|using|by|mit|avec|con|com)";
  private static final String AND = "(?:and|with|to|und|mit|et|avec|y|con|e|com)";
  private static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;

  /** "Compare doing it with A and with B": the thing done is the same on both sides. */
  private static final Pattern BOTH =
      Pattern.compile(
          "\\b(?:compar\\p{L}*|vergleich\\p{L}*)\\s+.+?\\s" + WITH + "\\s+(.+?)\\s+"
              + "(?:and|und|et|y|e)\\s+" + WITH + "\\s+(.+)$",
          FLAGS);

  private static final Pattern BETWEEN =
      Pattern.compile(
          "\\b(?:between|compare|comparing|zwischen|vergleiche|entre|comparer|tra|fra)\\s+(.+?),?"
              + "\\s+" + AND + "\\s+(.+)$",
          FLAGS);

  private static final Pattern VERSUS =
      Pattern.compile("^(.+?)\\s+(?:vs\\.?|versus|rather than|instead of)\\s+(.+)$", FLAGS);

  private static final Pattern LISTED = Pattern.compile("\\s*[,、]\\s+");

  /** More sides than these are a list, not a comparison. */
  private static final int SIDES_MAX = 4;

  private Comparison() {}

  /** The sides; the clause itself where it compares nothing. */
  static List<String> sides(String clause) {
    for (Pattern pattern : List.of(BOTH, BETWEEN, VERSUS)) {
      Matcher matcher = pattern.matcher(clause);
      if (matcher.find()) {
        List<String> sides = new ArrayList<>(List.of(LISTED.split(matcher.group(1).strip())));
        sides.add(matcher.group(2).strip());
        boolean each = sides.stream().noneMatch(s -> Words.terms(s).isEmpty());
        if (each && sides.size() <= SIDES_MAX) {
          return List.copyOf(sides);
        }
      }
    }
    return List.of(clause);
  }
}
