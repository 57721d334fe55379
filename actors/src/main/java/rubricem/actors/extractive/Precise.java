package rubricem.actors.extractive;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import rubricem.actors.extractive.Evidence.Found;

/**
 * Questions for a number or a date of something that is named. Passages that only speak of it, or
 * only of such numbers, are always near such a question and never answer it: one sentence has to
 * bring together what is named, a value of the kind, and what is asked of it. Pure.
 */
final class Precise {
  /** A name that stands in more passages than this is the subject of the corpus. */
  private static final double COMMON = 0.5;

  /** So near to the question a sentence may say it in other words. */
  private static final double IN_OTHER_WORDS = 0.6;

  private static final Pattern NUMBER = Pattern.compile("\\p{Nd}+(?:[.,]\\p{Nd}+)*");

  private Precise() {}

  /** What a passage has to name; empty where the facet is not of this kind. */
  static List<String> named(Facet facet, Ranking ranking) {
    return switch (facet.wanted()) {
      case ANYTHING, DEFAULT -> List.of();
      case AMOUNT, DATE ->
          facet.names().stream().filter(n -> ranking.spread(n) <= COMMON).toList();
    };
  }

  /** Whether the passage answers the facet as far as it is of this kind. */
  static boolean answers(Facet facet, Ranking ranking, Found passage) {
    List<String> named = named(facet, ranking);
    if (named.isEmpty()) {
      return true;
    }
    Set<String> before = Words.terms(passage.title());
    TableLines tables = TableLines.of(passage.text());
    for (String sentence : Sentences.of(passage.text())) {
      Set<String> said = new LinkedHashSet<>(Words.terms(sentence));
      Set<String> near = new LinkedHashSet<>(before);
      near.addAll(said);
      tables.header(sentence).ifPresent(h -> near.addAll(Words.terms(h)));
      if (valued(facet, sentence) && most(named, near)
          && (asked(facet, named, near)
              || ranking.meaning(ranking.meant(facet), sentence) >= IN_OTHER_WORDS)) {
        return true;
      }
      before = new LinkedHashSet<>(Words.terms(passage.title()));
      before.addAll(said);
    }
    return false;
  }

  /** A value that the question did not bring along itself. */
  private static boolean valued(Facet facet, String sentence) {
    Set<String> own = new LinkedHashSet<>();
    facet.phrasings().forEach(
        p -> NUMBER.matcher(p.text()).results().map(MatchResult::group).forEach(own::add));
    boolean number =
        NUMBER.matcher(sentence).results().map(MatchResult::group).anyMatch(n -> !own.contains(n));
    return Wanting.states(facet.wanted(), sentence)
        && (number || Wanting.countsInWords(sentence));
  }

  private static boolean most(List<String> wanted, Set<String> there) {
    return 2 * wanted.stream().filter(there::contains).count() >= wanted.size();
  }

  /** More than half of what is asked beside the names. */
  private static boolean asked(Facet facet, List<String> named, Set<String> there) {
    return facet.own().stream().anyMatch(own -> {
      List<String> rest = own.terms().stream().filter(t -> !named.contains(t)).toList();
      long found = rest.stream().filter(there::contains).count();
      return rest.isEmpty() || 2 * found > rest.size();
    });
  }
}
