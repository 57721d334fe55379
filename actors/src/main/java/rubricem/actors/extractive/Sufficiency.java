package rubricem.actors.extractive;

import java.util.List;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;

/**
 * Decides whether passages are about the question at all, by how near the best of them is in
 * meaning, by how much of what the question says they hold, and by whether what it names occurs
 * anywhere. It would rather answer nothing than quote the nearest unrelated sentence. The measures
 * are of the embedding model, not of a corpus. Pure.
 */
final class Sufficiency {
  /** Near enough by itself: unrelated passages of a large manual stay below it. */
  private static final double MEANING_ENOUGH = 0.37;

  /** The same where everything there is was seen: the nearest of few is less near by chance. */
  private static final double MEANING_OF_FEW = 0.31;

  /** Near enough where the passage also holds much of what the question says. */
  private static final double MEANING_SOME = 0.30;
  private static final double WORDS_SOME = 0.50;

  /** Near enough although most of what the question names was found nowhere. */
  private static final double MEANING_IN_SPITE = 0.58;

  /** One part of the question is met by itself. */
  private static final double PART_MEANING = 0.50;

  /** Without vectors the words have to carry it. */
  private static final double WORDS_ENOUGH = 0.45;
  private static final double PART_WORDS_ENOUGH = 0.75;
  private static final int PART_WORDS_MIN = 2;

  /** A name that stands in more passages than this says nothing: it is the corpus's subject. */
  private static final double COMMON = 0.5;

  private Sufficiency() {}

  /** @param few whether the searches have shown everything there is */
  static boolean answers(
      Question question, Ranking ranking, List<Found> passages, Likeness likeness, boolean few) {
    boolean named = named(question.names(), ranking);
    double enough = few ? MEANING_OF_FEW : MEANING_ENOUGH;
    return passages.stream().anyMatch(p ->
        likeness.known(question.text(), p.whole())
            ? near(question, ranking, p, named, enough)
                || alone(question, ranking, p, enough, likeness)
            : named && worded(question, ranking, p));
  }

  /** A part is judged as if it had been asked alone: the other may be of something else. */
  private static boolean alone(
      Question question, Ranking ranking, Found passage, double enough, Likeness likeness) {
    return question.facets().size() > 1 && question.facets().stream().anyMatch(f -> {
      double meaning =
          Math.max(
              ranking.meaning(f.own(), passage.whole()),
              likeness.of(f.asAlone(), passage.whole()));
      return named(f.names(), ranking) && (meaning >= enough
          || meaning >= MEANING_SOME && ranking.words(f, passage) >= WORDS_SOME);
    });
  }

  private static boolean near(
      Question question, Ranking ranking, Found passage, boolean named, double enough) {
    double words = ranking.words(passage);
    double meaning = ranking.meaning(passage);
    if (!named) {
      return meaning >= MEANING_IN_SPITE && words >= WORDS_SOME;
    }
    return meaning >= enough || meaning >= MEANING_SOME && words >= WORDS_SOME
        || question.facets().stream().anyMatch(f ->
            ranking.words(f, passage) >= WORDS_SOME
                && ranking.meaning(f.own(), passage.whole()) >= PART_MEANING);
  }

  private static boolean worded(Question question, Ranking ranking, Found passage) {
    return ranking.words(passage) >= WORDS_ENOUGH
        || question.facets().stream().anyMatch(f ->
            f.own().getFirst().terms().size() >= PART_WORDS_MIN
                && ranking.words(f, passage) >= PART_WORDS_ENOUGH);
  }

  /** Whether what a part names was found at all, or a passage is very near in spite of that. */
  static boolean named(Facet facet, Ranking ranking, List<Found> passages) {
    return named(facet.names(), ranking)
        || passages.stream().anyMatch(
            p -> ranking.meaning(facet.own(), p.whole()) >= MEANING_IN_SPITE
                && ranking.words(facet, p) >= WORDS_SOME);
  }

  /** Whether at least half of what is named, and what is not everywhere, was found. */
  private static boolean named(Set<String> names, Ranking ranking) {
    List<String> telling = names.stream().filter(n -> ranking.spread(n) <= COMMON).toList();
    long found = telling.stream().filter(n -> ranking.spread(n) > 0).count();
    return 2 * found >= telling.size();
  }
}
