package rubricem.persistence.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EventLog;

/** The event log of a node: pages of the journal, read on the journal's own threads. */
public final class StoredEvents implements EventLog {
  private final JournalDatabase database;
  private final JournalReader reader;

  public StoredEvents(JournalDatabase database) {
    this.database = database;
    this.reader = new JournalReader(database);
  }

  @Override
  public CompletionStage<List<EventStored>> read(EpisodeId id, long after, int limit) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<EventStored> page = new ArrayList<>();
          reader.read(
              id, after,
              (sequence, event) -> {
                page.add(new EventStored(sequence, event));
                return page.size() < limit;
              });
          return List.copyOf(page);
        },
        database.lookers());
  }
}
