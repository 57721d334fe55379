package rubricem.persistence.journal;

import java.util.List;
import java.util.concurrent.CompletionStage;
import rubricem.persistence.serialization.DurableSerializer;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * Writes events of episodes without an actor system, exactly as a node stores them: for benchmarks
 * and tests. It checks nothing; the journal itself refuses a sequence number that is taken.
 */
public final class JournalWriter implements AutoCloseable {
  private final DurableSerializer serializer = new DurableSerializer();
  private final GroupCommit commits;

  public JournalWriter(JournalDatabase database) {
    this.commits = new GroupCommit(database);
  }

  /** One write of {@code events}, the first of which is number {@code sequence}. */
  public CompletionStage<Void> store(EpisodeId id, long sequence, List<EpisodeEvent> events) {
    List<JournalFrames.Frame> frames =
        events.stream()
            .map(
                e ->
                    new JournalFrames.Frame(
                        DurableSerializer.IDENTIFIER, serializer.manifest(e),
                        serializer.toBinary(e)))
            .toList();
    String persistenceId = JournalReader.persistenceId(id);
    List<EpisodeRows.Change> changes =
        events.stream().flatMap(e -> EpisodeRows.change(persistenceId, e).stream()).toList();
    return commits.store(
        List.of(GroupCommit.Write.of(persistenceId, sequence, frames, changes)));
  }

  @Override
  public void close() {
    commits.close();
  }
}
