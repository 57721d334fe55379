package rubricem.protocol.run;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The rubric banks of the runs: what was learned about questions, found by their likeness to a
 * text. It only reads.
 */
@FunctionalInterface
public interface RubricBanks {
  /** For a node that keeps none. */
  RubricBanks NONE = (run, query, k) -> CompletableFuture.completedStage(Optional.empty());

  /**
   * The most similar entries, most similar first; empty where the run keeps no bank.
   *
   * @param k 1 to 100
   */
  CompletionStage<Optional<List<Entry>>> search(RunName run, String query, int k);

  /**
   * An accepted reflection on one question.
   *
   * @param hash SHA-256 of the question, by which it is found exactly
   * @param rubrics criteria for the next attempt
   * @param takeaways short lessons for other questions
   * @param similarity of its question to the text, -1 to 1
   * @param score what the judge gave it, 0 to 1
   */
  record Entry(
      String hash,
      String question,
      String rubrics,
      String takeaways,
      double similarity,
      double score,
      Provenance provenance) {}

  /**
   * Where an entry comes from.
   *
   * @param trajectory the episode that was reflected on
   * @param formatVersion of the reflection's text
   */
  record Provenance(long step, String policyVersion, String trajectory, int formatVersion) {}
}
