package rubricem.actors.extractive;

import rubricem.actors.extractive.Evidence.Found;

/** Whether a facet needs no further search: one passage fits it by words and by meaning. Pure. */
final class Coverage {
  private static final double WORDS = 0.75;
  private static final double MEANING = 0.55;

  /** Without vectors nearly every word has to be there. */
  private static final double WORDS_ALONE = 0.9;

  private Coverage() {}

  static boolean all(Question question, Evidence evidence, Ranking ranking, Likeness likeness) {
    return question.facets().stream()
        .allMatch(f -> evidence.found().stream().anyMatch(p -> covers(f, p, ranking, likeness)));
  }

  static boolean covers(Facet facet, Found passage, Ranking ranking, Likeness likeness) {
    double words = ranking.words(facet, passage);
    boolean kind = Wanting.states(facet.wanted(), passage.text());
    String asked = facet.phrasings().getFirst().text();
    return kind && (likeness.known(asked, passage.whole())
        ? words >= WORDS && ranking.meaning(ranking.meant(facet), passage.whole()) >= MEANING
        : words >= WORDS_ALONE);
  }
}
