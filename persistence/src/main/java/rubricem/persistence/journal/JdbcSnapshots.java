package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.persistence.SelectedSnapshot;
import org.apache.pekko.persistence.SnapshotMetadata;
import org.apache.pekko.persistence.SnapshotSelectionCriteria;
import org.apache.pekko.persistence.snapshot.japi.SnapshotStore;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** The snapshot plugin, in the journal's database. */
public final class JdbcSnapshots extends SnapshotStore {
  private static final String CHOSEN =
      " WHERE entity = ? AND seq <= ? AND taken_at <= ? AND seq >= ? AND taken_at >= ?";

  private final JournalDatabase database =
      JournalExtension.get(context().system()).database();
  private final Serialization serialization = SerializationExtension.get(context().system());

  @Override
  public Future<Optional<SelectedSnapshot>> doLoadAsync(
      String persistenceId, SnapshotSelectionCriteria criteria) {
    return GroupCommitJournal.onReaders(
        database.readers(), () -> load(persistenceId, criteria));
  }

  private Optional<SelectedSnapshot> load(String id, SnapshotSelectionCriteria criteria)
      throws SQLException {
    try (Connection c = database.reader()) {
      OptionalLong entity = JournalRows.entity(c, id);
      if (entity.isEmpty()) {
        return Optional.empty();
      }
      try (PreparedStatement select =
          c.prepareStatement(
              "SELECT seq, taken_at, payload FROM snapshot" + CHOSEN
                  + " ORDER BY seq DESC LIMIT 1")) {
        choose(select, entity.getAsLong(), criteria);
        try (ResultSet rows = select.executeQuery()) {
          if (!rows.next()) {
            return Optional.empty();
          }
          Object snapshot =
              SerializedPayload.payload(
                  serialization, JournalFrames.read(rows.getBytes(3)).getFirst());
          return Optional.of(
              SelectedSnapshot.create(
                  new SnapshotMetadata(id, rows.getLong(1), rows.getLong(2)), snapshot));
        }
      }
    }
  }

  private static void choose(
      PreparedStatement statement, long entity, SnapshotSelectionCriteria criteria)
      throws SQLException {
    statement.setLong(1, entity);
    statement.setLong(2, criteria.maxSequenceNr());
    statement.setLong(3, criteria.maxTimestamp());
    statement.setLong(4, criteria.minSequenceNr());
    statement.setLong(5, criteria.minTimestamp());
  }

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
    byte[] payload =
        JournalFrames.write(List.of(SerializedPayload.frame(serialization, snapshot)));
    return FutureConverters.asScala(
        database.commits().run(c -> save(c, metadata, payload)));
  }

  private static void save(Connection c, SnapshotMetadata metadata, byte[] payload)
      throws SQLException {
    String id = metadata.persistenceId();
    OptionalLong known = JournalRows.entity(c, id);
    long entity = known.isPresent() ? known.getAsLong() : JournalRows.newEntity(c, id);
    delete(c, entity, metadata.sequenceNr());
    try (PreparedStatement insert =
        c.prepareStatement(
            "INSERT INTO snapshot (entity, seq, taken_at, payload) VALUES (?, ?, ?, ?)")) {
      insert.setLong(1, entity);
      insert.setLong(2, metadata.sequenceNr());
      insert.setLong(3, metadata.timestamp());
      insert.setBytes(4, payload);
      insert.executeUpdate();
    }
  }

  private static void delete(Connection c, long entity, long seq) throws SQLException {
    try (PreparedStatement delete =
        c.prepareStatement("DELETE FROM snapshot WHERE entity = ? AND seq = ?")) {
      delete.setLong(1, entity);
      delete.setLong(2, seq);
      delete.executeUpdate();
    }
  }

  @Override
  public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
    return FutureConverters.asScala(
        database.commits().run(
            c -> {
              OptionalLong entity = JournalRows.entity(c, metadata.persistenceId());
              if (entity.isPresent()) {
                delete(c, entity.getAsLong(), metadata.sequenceNr());
              }
            }));
  }

  @Override
  public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
    return FutureConverters.asScala(
        database.commits().run(
            c -> {
              OptionalLong entity = JournalRows.entity(c, persistenceId);
              if (entity.isPresent()) {
                try (PreparedStatement delete =
                    c.prepareStatement("DELETE FROM snapshot" + CHOSEN)) {
                  choose(delete, entity.getAsLong(), criteria);
                  delete.executeUpdate();
                }
              }
            }));
  }
}
