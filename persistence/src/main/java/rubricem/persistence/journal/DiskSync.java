package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the disk beside the thread that writes: everything committed when a sync begins is
 * covered by it, and only then told to be stored. So the next group is written while the last one
 * reaches the disk. What waits here is bounded by what the writer took: an entity has one write.
 */
final class DiskSync implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskSync.class);

  private final JournalDatabase database;
  private final String statement;
  private final BlockingQueue<CompletableFuture<Void>> committed = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final Thread thread;

  DiskSync(JournalDatabase database, String statement) {
    this.database = database;
    this.statement = statement;
    this.thread = Thread.ofPlatform().name("journal-sync").daemon().start(this::run);
  }

  /** Completes each of {@code writes}, which are committed, when they are on disk. */
  void afterSync(List<CompletableFuture<Void>> writes) {
    committed.addAll(writes);
    if (ended()) {
      fail(new ArrayList<>(), new JournalUnusable("The journal's disk is not synced any more."));
    }
  }

  private void run() {
    List<CompletableFuture<Void>> covered = new ArrayList<>();
    try (Connection connection = database.connect()) {
      while (!covered.contains(end)) {
        covered.clear();
        covered.add(committed.take());
        committed.drainTo(covered);
        sync(connection, covered);
      }
    } catch (SQLException e) {
      LOG.warn("the journal's connection for syncing failed: {}", e.getMessage());
      fail(covered, e);
    } catch (InterruptedException e) {
      fail(covered, e);
    }
  }

  private void sync(Connection connection, List<CompletableFuture<Void>> covered)
      throws SQLException {
    try (Statement sync = connection.createStatement()) {
      sync.execute(statement);
    }
    covered.forEach(write -> write.complete(null));
  }

  /** Whether what was committed is on disk is not known: nobody may count on it. */
  private void fail(List<CompletableFuture<Void>> covered, Exception cause) {
    committed.drainTo(covered);
    JournalUnusable failure = JournalUnusable.write(cause);
    covered.forEach(write -> write.completeExceptionally(failure));
  }

  /** Nothing it is given will be synced any more. */
  boolean ended() {
    return !thread.isAlive();
  }

  /** Syncs what waits, then ends. */
  @Override
  public void close() {
    committed.add(end);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
