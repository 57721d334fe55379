package rubricem.http.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.run.RubricBanks;
import rubricem.protocol.run.RunName;
import rubricem.protocol.run.TrainingRuns;

/** Two runs in memory, one of them with a bank of one entry. */
final class ListedRuns implements TrainingRuns, RubricBanks {
  static final String WITH_BANK = "demo";
  static final String WITHOUT_BANK = "plain";
  static final Entry ENTRY =
      new Entry(
          "ab", "What raises the tides?", "- names the moon", "Look for the cause.", 0.9, 0.7,
          new Provenance(12, "3", "e" + "0".repeat(26), 1));
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  private static Row row(String name) {
    return new Row(
        new RunName(name), Optional.of(2L), Optional.of(Map.of("step", 2, "loss", 0.5)), 1, AT, AT);
  }

  @Override
  public CompletionStage<Page> page(Query query) {
    return CompletableFuture.completedStage(
        new Page(List.of(row(WITH_BANK), row(WITHOUT_BANK)), Optional.empty()));
  }

  @Override
  public CompletionStage<Optional<Run>> run(RunName name, Steps steps) {
    return CompletableFuture.completedStage(
        List.of(WITH_BANK, WITHOUT_BANK).contains(name.value())
            ? Optional.of(
                new Run(
                    row(name.value()), Optional.of("a=1"), List.of(Map.of("step", 2)),
                    Optional.empty(), 0, List.of(new Checkpoint(2, Optional.of("3"), AT))))
            : Optional.empty());
  }

  @Override
  public CompletionStage<Optional<List<Entry>>> search(RunName run, String query, int k) {
    return CompletableFuture.completedStage(
        run.value().equals(WITH_BANK) ? Optional.of(List.of(ENTRY)) : Optional.empty());
  }
}
