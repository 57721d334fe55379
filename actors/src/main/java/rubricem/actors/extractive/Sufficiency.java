package rubricem.actors.extractive;

import java.util.List;
import rubricem.actors.extractive.Evidence.Found;

/**
 * Decides whether passages are about the question at all, by how near the best of them is in
 * meaning, by how much of what the question says they hold, and by whether what it names occurs
 * anywhere. It would rather answer nothing than quote the nearest unrelated sentence. The measures
 * are of the embedding model, not of a corpus. Pure.
 */
final class Sufficiency {
  /** Near enough by itself: unrelated passages of a large manual stay below it. */
  private static final double MEANING_ENOUGH = 0.40;

  /** Near enough where the passage also holds much of what the question says. */
  private static final double MEANING_SOME = 0.30;
  private static final double WORDS_SOME = 0.50;

  /** Near enough although most of what the question names was found nowhere. */
  private static final double MEANING_IN_SPITE = 0.58;

  /** Without vectors the words have to carry it. */
  private static final double WORDS_ENOUGH = 0.45;

  /** A name that stands in more passages than this says nothing: it is the corpus's subject. */
  private static final double COMMON = 0.5;

  private Sufficiency() {}

  static boolean answers(
      Question question, Ranking ranking, List<Found> passages, Likeness likeness) {
    boolean named = named(question, ranking);
    return passages.stream().anyMatch(p -> answers(question, ranking, p, likeness, named));
  }

  private static boolean answers(
      Question question, Ranking ranking, Found passage, Likeness likeness, boolean named) {
    double words = ranking.words(passage);
    if (!likeness.known(question.text(), passage.whole())) {
      return words >= WORDS_ENOUGH && named;
    }
    double meaning = ranking.meaning(passage);
    return named
        ? meaning >= MEANING_ENOUGH || meaning >= MEANING_SOME && words >= WORDS_SOME
        : meaning >= MEANING_IN_SPITE && words >= WORDS_SOME;
  }

  /** Whether at least half of what the question names, and what is not everywhere, was found. */
  private static boolean named(Question question, Ranking ranking) {
    List<String> telling =
        question.names().stream().filter(n -> ranking.spread(n) <= COMMON).toList();
    long found = telling.stream().filter(n -> ranking.spread(n) > 0).count();
    return 2 * found >= telling.size();
  }
}
