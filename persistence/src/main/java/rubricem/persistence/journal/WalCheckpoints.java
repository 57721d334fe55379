package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries what SQLite's write-ahead log holds over into the database file, on a thread of its own:
 * done by the writer, as SQLite does by itself, every episode waits for it. While writes come without
 * a pause this never catches up with them quite, and the log cannot begin anew; so when it has grown
 * large the writer carries over the little that is left. Nothing depends on it but the log's size:
 * a commit is on disk in the log.
 */
final class WalCheckpoints implements AutoCloseable {
  /** Bytes of events between two checkpoints: few enough to be done in a moment. */
  private static final long BYTES_BETWEEN = 2L << 20;

  /** Pages of the log, of 4 kB, at which the writer lends a hand: 64 MB. */
  private static final int PAGES_MAX = 16_000;

  private static final Logger LOG = LoggerFactory.getLogger(WalCheckpoints.class);

  private final JournalDatabase database;
  private final Semaphore wanted = new Semaphore(0);
  private final Thread thread;
  private long bytes;
  private volatile boolean closing;
  private volatile int pages;

  WalCheckpoints(JournalDatabase database) {
    this.database = database;
    this.thread = Thread.ofPlatform().name("journal-checkpoint").daemon().start(this::run);
  }

  /** Called by the writer between two transactions, on its connection. */
  void committed(Connection writer, long bytesWritten) {
    bytes += bytesWritten;
    if (bytes >= BYTES_BETWEEN) {
      bytes = 0;
      wanted.release();
    }
    if (pages >= PAGES_MAX) {
      carryOver(writer);
      pages = 0; // the thread says when it has grown again
    }
  }

  private void run() {
    try {
      for (wanted.acquire(); !closing; wanted.acquire()) {
        wanted.drainPermits();
        carryOver();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** With a connection of its own each time: a database that fails now may be there later. */
  private void carryOver() {
    try (Connection connection = database.connect()) {
      carryOver(connection);
    } catch (SQLException e) {
      LOG.warn("the journal's log could not be carried over: {}", e.getMessage());
    }
  }

  private void carryOver(Connection connection) {
    try {
      pages = checkpoint(connection);
    } catch (SQLException e) {
      LOG.warn("the journal's log could not be carried over: {}", e.getMessage());
    }
  }

  /** Waits for nobody: what a reader still needs stays for the next time. Gives the log's pages. */
  private static int checkpoint(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      return row.next() ? row.getInt(2) : 0;
    }
  }

  @Override
  public void close() {
    closing = true;
    wanted.release();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
