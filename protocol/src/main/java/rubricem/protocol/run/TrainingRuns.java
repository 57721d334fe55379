package rubricem.protocol.run;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The training runs as they are stored, while they run and afterwards. It only reads: a step that is
 * not written to its end, and a checkpoint whose manifest is not there yet, do not exist for it.
 */
public interface TrainingRuns {
  /** One page, newest first. */
  CompletionStage<Page> page(Query query);

  /** Empty where there is no such run. */
  CompletionStage<Optional<Run>> run(RunName name, Steps steps);

  /**
   * @param before the last of the page before; empty for the first page
   * @param limit 1 to 200
   */
  record Query(Optional<Place> before, int limit) {}

  /** Where a run stands in the list. */
  record Place(Instant createdAt, RunName name) {}

  /**
   * Which metrics are wanted.
   *
   * @param after the step of the last ones that the asker has; -1 for the first page
   * @param limit 1 to 500
   */
  record Steps(long after, int limit) {}

  /** @param next the cursor of the page behind it; empty on the last */
  record Page(List<Row> rows, Optional<Place> next) {}

  /**
   * What a list shows of a run.
   *
   * @param step of the last metrics; empty before the first step
   * @param metrics the last ones, as the trainer wrote them
   * @param updatedAt when it last wrote something
   */
  record Row(
      RunName name,
      Optional<Long> step,
      Optional<Map<String, Object>> metrics,
      int checkpointCount,
      Instant createdAt,
      Instant updatedAt) {}

  /**
   * One run.
   *
   * @param config as resolved, without secrets; empty where it cannot be shown
   * @param metrics the page that was asked for, by rising step
   * @param nextAfter what the next page comes after; empty on the last
   * @param unreadable complete lines of the metrics that say nothing
   * @param checkpoints newest first; the newest thousand
   */
  record Run(
      Row row,
      Optional<String> config,
      List<Map<String, Object>> metrics,
      Optional<Long> nextAfter,
      int unreadable,
      List<Checkpoint> checkpoints) {}

  /** @param createdAt when its manifest appeared, which is when it became whole */
  record Checkpoint(long step, Optional<String> policyVersion, Instant createdAt) {}
}
