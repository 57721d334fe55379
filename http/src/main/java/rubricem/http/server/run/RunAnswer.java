package rubricem.http.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.run.RubricBanks;
import rubricem.protocol.run.RunName;
import rubricem.protocol.run.TrainingRuns;

/** Runs and bank entries as they are answered; every field is always there. */
final class RunAnswer {
  private RunAnswer() {}

  /** @param nextCursor null on the last page */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Page(List<Row> runs, Optional<String> nextCursor) {
    static Page of(TrainingRuns.Page page) {
      return new Page(page.rows().stream().map(Row::of).toList(), page.next().map(RunAnswer::cursor));
    }
  }

  /** @param lastMetrics as the trainer wrote them; null before the first step */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Row(
      RunName name,
      Optional<Long> step,
      Optional<Map<String, Object>> lastMetrics,
      int checkpointCount,
      Instant createdAt,
      Instant updatedAt) {
    static Row of(TrainingRuns.Row row) {
      return new Row(
          row.name(), row.step(), row.metrics(), row.checkpointCount(), row.createdAt(),
          row.updatedAt());
    }
  }

  /**
   * A row of the list and what else there is.
   *
   * @param config null where there is none that can be shown
   * @param nextAfterStep null on the last page of metrics
   */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record One(
      RunName name,
      Optional<Long> step,
      Optional<Map<String, Object>> lastMetrics,
      int checkpointCount,
      Instant createdAt,
      Instant updatedAt,
      Optional<String> config,
      List<Map<String, Object>> metrics,
      Optional<Long> nextAfterStep,
      int unreadableLines,
      List<Checkpoint> checkpoints) {
    static One of(TrainingRuns.Run run) {
      TrainingRuns.Row row = run.row();
      return new One(
          row.name(), row.step(), row.metrics(), row.checkpointCount(), row.createdAt(),
          row.updatedAt(), run.config(), run.metrics(), run.nextAfter(), run.unreadable(),
          run.checkpoints().stream().map(Checkpoint::of).toList());
    }
  }

  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Checkpoint(long step, Optional<String> policyVersion, Instant createdAt) {
    static Checkpoint of(TrainingRuns.Checkpoint checkpoint) {
      return new Checkpoint(checkpoint.step(), checkpoint.policyVersion(), checkpoint.createdAt());
    }
  }

  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Bank(RunName run, List<RubricBanks.Entry> entries) {}

  private static String cursor(TrainingRuns.Place place) {
    String text = "1:" + place.createdAt().toEpochMilli() + ":" + place.name();
    return Base64.getUrlEncoder().withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  static TrainingRuns.Place place(String cursor) {
    try {
      String[] parts =
          new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII)
              .split(":", 3);
      if (parts.length == 3 && parts[0].equals("1")) {
        return new TrainingRuns.Place(
            Instant.ofEpochMilli(Long.parseLong(parts[1])), new RunName(parts[2]));
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      // said below
    }
    throw RunDoor.wrong("cursor takes what next_cursor of the page before said.");
  }
}
