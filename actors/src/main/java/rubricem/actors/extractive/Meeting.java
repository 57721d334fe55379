package rubricem.actors.extractive;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;

/**
 * Whether sentences of a passage meet the criterion of a facet: one of them speaks of what is
 * asked, by its words or by its meaning, and holds the kind of value that is wanted. A number alone
 * meets nothing. What stands above a sentence belongs to it: headings, the header of its table, the
 * sentence quoted before it. Pure.
 */
record Meeting(Facet facet, Ranking ranking) {
  /** Of the words of the facet, those it leans on left out. */
  private static final double WORDS = 0.5;

  /** So near a sentence says it in other words, or in another language. */
  private static final double MEANING = 0.5;

  boolean by(Found passage, String label, List<String> sentences) {
    TableLines tables = TableLines.of(passage.text());
    Set<String> above = new LinkedHashSet<>(Words.terms(passage.title()));
    above.addAll(Words.terms(label));
    Set<String> before = Set.of();
    for (String sentence : sentences) {
      Set<String> said = new LinkedHashSet<>(Words.terms(sentence));
      tables.header(sentence).ifPresent(h -> said.addAll(Words.terms(h)));
      Set<String> near = new LinkedHashSet<>(above);
      near.addAll(before);
      near.addAll(said);
      boolean about =
          shares(said, near) || ranking.meaning(facet.phrasings(), sentence) >= MEANING;
      if (about && Wanting.couldBe(facet.wanted(), sentence)) {
        return true;
      }
      before = said;
    }
    return false;
  }

  /** At least one of the words is the sentence's own: every sentence stands under its headings. */
  private boolean shares(Set<String> said, Set<String> near) {
    return facet.own().stream().anyMatch(own -> {
      Set<String> wanted = own.terms();
      long found = wanted.stream().filter(near::contains).count();
      boolean itself = wanted.stream().anyMatch(said::contains)
          || facet.names().stream().anyMatch(near::contains);
      return wanted.isEmpty() || itself && found >= WORDS * wanted.size();
    });
  }
}
