package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Keeps other nodes off a database server. The lock belongs to the session that writes: whoever
 * loses that session has lost the claim with it, and has to take it again before the next write.
 * So no two nodes write in turns, even where the network parts one from the server. A session of
 * our own that the server still believes in is ended by us. Used by the thread that writes only.
 */
final class NodeClaim {
  private static final long KEY = 72302;
  private static final String LOCK = "SELECT pg_try_advisory_lock(" + KEY + ")";
  private static final String SESSION =
      "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()";

  /** The number of a process comes again; that and its beginning do not. */
  private static final String END =
      "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid"
          + " WHERE l.locktype = 'advisory' AND l.objid = " + KEY + " AND l.granted"
          + " AND a.pid = ? AND a.backend_start = ?";

  private record Session(int pid, OffsetDateTime began) {}

  private Optional<Session> held = Optional.empty();

  /**
   * Takes the claim for {@code connection}'s session; it may have it already.
   *
   * @param address of the database, for the message
   * @throws JournalUnusable where another node has it
   */
  void take(Connection connection, String address) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!yes(statement.executeQuery(LOCK))) {
        boolean ours = endOwn(connection);
        throw new JournalUnusable(
            ours
                ? "The connection to the database " + address + " was lost. It is made anew."
                : "Another RubricEM process is running on the database " + address
                    + ". Wait until it has ended, or give this one a database of its own.");
      }
      try (ResultSet row = statement.executeQuery(SESSION)) {
        held = row.next()
            ? Optional.of(new Session(row.getInt(1), row.getObject(2, OffsetDateTime.class)))
            : Optional.empty();
      }
    }
  }

  /** The server ends a session after it has said so; until then the lock stays taken. */
  private boolean endOwn(Connection connection) throws SQLException {
    if (held.isEmpty()) {
      return false;
    }
    try (PreparedStatement end = connection.prepareStatement(END)) {
      end.setInt(1, held.get().pid());
      end.setObject(2, held.get().began());
      return yes(end.executeQuery());
    }
  }

  private static boolean yes(ResultSet rows) throws SQLException {
    try (rows) {
      return rows.next() && rows.getBoolean(1);
    }
  }
}
