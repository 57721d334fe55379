package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The journal's statements for reading. */
final class JournalRows {
  /** Rows fetched at once, so that a long history is not read into memory whole. */
  private static final int FETCH = 200;

  private JournalRows() {}

  /** @param seq sequence number of the first of {@code frames} */
  record Row(long seq, List<JournalFrames.Frame> frames) {}

  interface RowReader {
    /** @return whether to go on */
    boolean read(Row row);
  }

  static OptionalLong entity(Connection connection, String persistenceId) throws SQLException {
    try (PreparedStatement find =
        connection.prepareStatement("SELECT no FROM journal_entity WHERE persistence_id = ?")) {
      find.setString(1, persistenceId);
      try (ResultSet rows = find.executeQuery()) {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /** Every row that holds an event of {@code from} to {@code to}, in order. */
  static void read(Connection connection, long entity, long from, long to, RowReader reader)
      throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT seq, payload FROM journal WHERE entity = ? AND seq <= ? AND seq + events > ?"
                + " ORDER BY seq")) {
      select.setFetchSize(FETCH);
      select.setLong(1, entity);
      select.setLong(2, to);
      select.setLong(3, from);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          if (!reader.read(new Row(rows.getLong(1), JournalFrames.read(rows.getBytes(2))))) {
            break;
          }
        }
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  static long newEntity(Connection connection, String persistenceId) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_entity (persistence_id) VALUES (?)",
            Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, persistenceId);
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    }
  }

  static long deletedTo(Connection connection, long entity) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT deleted_to FROM journal_entity WHERE no = ?")) {
      select.setLong(1, entity);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? rows.getLong(1) : 0;
      }
    }
  }

  /** @param no the number under which rows name it */
  record Entity(long no, String persistenceId) {}

  /**
   * The entities whose persistence id begins with {@code prefix}, in the order of their numbers.
   */
  static List<Entity> entities(Connection connection, String prefix) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT no, persistence_id FROM journal_entity WHERE persistence_id >= ?"
                + " AND persistence_id < ? ORDER BY no")) {
      select.setString(1, prefix);
      select.setString(2, prefix + '\uffff');
      try (ResultSet rows = select.executeQuery()) {
        List<Entity> entities = new ArrayList<>();
        while (rows.next()) {
          entities.add(new Entity(rows.getLong(1), rows.getString(2)));
        }
        return entities;
      }
    }
  }

  interface EntityRowReader {
    void read(long entity, Row row);
  }

  /**
   * Every row of the entities from {@code first} to {@code last}, entity by entity, in order; inside
   * the caller's transaction where there is one.
   */
  static void readRange(Connection connection, long first, long last, EntityRowReader reader)
      throws SQLException {
    boolean own = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT entity, seq, payload FROM journal WHERE entity BETWEEN ? AND ?"
                + " ORDER BY entity, seq")) {
      select.setFetchSize(FETCH);
      select.setLong(1, first);
      select.setLong(2, last);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          reader.read(
              rows.getLong(1),
              new Row(rows.getLong(2), JournalFrames.read(rows.getBytes(3))));
        }
      }
    } finally {
      if (own) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  static long highest(Connection connection, String persistenceId) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT e.deleted_to, (SELECT MAX(j.seq + j.events - 1) FROM journal j"
                + " WHERE j.entity = e.no) FROM journal_entity e WHERE e.persistence_id = ?")) {
      select.setString(1, persistenceId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Math.max(rows.getLong(1), rows.getLong(2)) : 0;
      }
    }
  }

  /** Ids that begin with {@code prefix}, last first, beginning behind {@code before}. */
  static List<String> persistenceIds(
      Connection connection, String prefix, String before, int limit) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT persistence_id FROM journal_entity WHERE persistence_id >= ?"
                + " AND persistence_id < ? ORDER BY persistence_id DESC LIMIT ?")) {
      select.setString(1, prefix);
      select.setString(2, before.isEmpty() ? prefix + '\uffff' : before);
      select.setInt(3, limit);
      try (ResultSet rows = select.executeQuery()) {
        List<String> ids = new ArrayList<>();
        while (rows.next()) {
          ids.add(rows.getString(1));
        }
        return ids;
      }
    }
  }
}
