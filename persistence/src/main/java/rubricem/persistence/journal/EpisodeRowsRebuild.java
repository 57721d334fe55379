package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import rubricem.persistence.serialization.UnknownKind;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * Makes the table of episodes from a journal that is older than it, in the caller's transaction.
 */
final class EpisodeRowsRebuild {
  private EpisodeRowsRebuild() {}

  static void run(Connection connection) throws SQLException {
    for (JournalRows.Entity entity : JournalRows.entities(connection, JournalReader.PREFIX)) {
      List<EpisodeRows.Change> changes = new ArrayList<>();
      JournalRows.readRange(
          connection, entity.no(), entity.no(),
          (no, row) -> row.frames().forEach(f -> change(entity, f).ifPresent(changes::add)));
      for (EpisodeRows.Change change : changes) {
        EpisodeRows.apply(connection, change);
      }
    }
  }

  /** An event this program cannot read is its episode's matter, not the list's. */
  private static Optional<EpisodeRows.Change> change(
      JournalRows.Entity entity, JournalFrames.Frame frame) {
    try {
      EpisodeEvent event = JournalReader.event(frame);
      return EpisodeRows.change(entity.persistenceId(), event);
    } catch (UnknownKind | JournalUnusable e) {
      return Optional.empty();
    }
  }
}
