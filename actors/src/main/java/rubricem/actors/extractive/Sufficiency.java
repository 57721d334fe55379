package rubricem.actors.extractive;

import java.util.List;
import java.util.Set;
import rubricem.actors.extractive.Evidence.Found;

/**
 * Decides whether passages are about the question at all, by how near the best of them is in
 * meaning and by how much of what the question says they hold. It would rather answer nothing than
 * quote the nearest unrelated sentence. Pure.
 */
final class Sufficiency {
  private static final double MEANING_ENOUGH = 0.45;
  private static final double MEANING_SOME = 0.3;
  private static final double WORDS_ENOUGH = 0.6;
  private static final double WORDS_SOME = 0.35;

  private Sufficiency() {}

  static boolean answers(
      Question question, Ranking ranking, List<Found> passages, Likeness likeness) {
    for (Found passage : passages) {
      if (answers(question, ranking, passage, likeness)) {
        return true;
      }
    }
    return false;
  }

  private static boolean answers(
      Question question, Ranking ranking, Found passage, Likeness likeness) {
    double words = ranking.byWords(question.terms(), passage);
    Set<String> names = question.names();
    boolean named = names.isEmpty() || names.stream().anyMatch(ranking.terms(passage)::contains);
    if (!likeness.known(question.text(), passage.text())) {
      return words >= WORDS_ENOUGH && named;
    }
    double meaning = likeness.of(question.text(), passage.text());
    return named && (meaning >= MEANING_ENOUGH
        || meaning >= MEANING_SOME && words >= WORDS_SOME
        || words >= WORDS_ENOUGH && meaning > 0.15);
  }
}
