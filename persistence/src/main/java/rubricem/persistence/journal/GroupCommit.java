package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the journal on one thread: whatever waits goes into one commit, and only when that
 * commit is on disk is anybody told. So the disk is waited for once a group, not once a write, and
 * the more episodes there are the larger the groups. A write that cannot be stored fails alone; the
 * others of its group are stored without it.
 */
final class GroupCommit implements AutoCloseable {
  /** Numbers of persistence ids kept at hand; an id that has gone is looked up again. */
  private static final int NUMBERS_KEPT = 100_000;

  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /**
   * @param seq sequence number of the first event
   * @param payload the events, framed: whoever writes does it, not the one thread that stores
   * @param changes what the list of episodes has to know of these events
   */
  record Write(
      String persistenceId, long seq, int events, byte[] payload,
      List<EpisodeRows.Change> changes) {
    static Write of(
        String persistenceId, long seq, List<JournalFrames.Frame> frames,
        List<EpisodeRows.Change> changes) {
      return new Write(
          persistenceId, seq, frames.size(), JournalFrames.write(frames), changes);
    }
  }

  /** Something else to write; it may be run twice, of which one is rolled back. */
  interface Work {
    void on(Connection connection) throws SQLException;
  }

  private record Queued(List<Write> writes, Work work, CompletableFuture<Void> stored) {}

  private final JournalDatabase database;
  private final BlockingQueue<Queued> queue;
  private final Map<String, Long> numbers =
      new LinkedHashMap<>(1024, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > NUMBERS_KEPT;
        }
      };
  private final Thread thread;
  private volatile boolean closing;
  private @Nullable Connection connection;
  private final Optional<WalCheckpoints> checkpoints;

  GroupCommit(JournalDatabase database) {
    this.database = database;
    this.queue = new ArrayBlockingQueue<>(database.settings().writesQueued());
    this.checkpoints =
        database.dialect() == SqlDialect.SQLITE
            ? Optional.of(new WalCheckpoints(database))
            : Optional.empty();
    this.thread = Thread.ofPlatform().name("journal-writer").daemon().start(this::run);
  }

  /** Completes when all of {@code writes} are on disk; fails when one of them cannot be. */
  CompletionStage<Void> store(List<Write> writes) {
    return queue(new Queued(writes, connection -> {}, new CompletableFuture<>()));
  }

  /**
   * Completes when what {@code work} wrote is on disk, behind everything that was queued before.
   */
  CompletionStage<Void> run(Work work) {
    return queue(new Queued(List.of(), work, new CompletableFuture<>()));
  }

  private CompletionStage<Void> queue(Queued queued) {
    if (closing || !queue.offer(queued)) {
      queued.stored.completeExceptionally(
          new JournalUnusable(
              closing
                  ? "The journal is closed."
                  : "More than " + database.settings().writesQueued() + " writes wait for the"
                      + " journal: it is slower than what is asked of it."));
    }
    if (!thread.isAlive()) {
      refuseRest();
    }
    return queued.stored;
  }

  private void run() {
    try {
      commitWhatWaits();
    } finally {
      closing = true;
      refuseRest();
      checkpoints.ifPresent(WalCheckpoints::close);
      disconnect();
    }
  }

  /** What came too late for the writer is not left waiting for ever. */
  private void refuseRest() {
    for (Queued late = queue.poll(); late != null; late = queue.poll()) {
      late.stored.completeExceptionally(new JournalUnusable("The journal is closed."));
    }
  }

  private void commitWhatWaits() {
    List<Queued> group = new ArrayList<>();
    while (!closing || !queue.isEmpty()) {
      try {
        Queued first = queue.poll(100, java.util.concurrent.TimeUnit.MILLISECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, database.settings().writesPerCommit() - 1);
          commit(group);
          group.clear();
        }
      } catch (InterruptedException e) {
        closing = true;
      } catch (Error e) {
        group.forEach(q -> q.stored.completeExceptionally(e));
        throw e;
      }
    }
  }

  private void commit(List<Queued> group) {
    try {
      insert(group);
      group.forEach(q -> q.stored.complete(null));
    } catch (SQLException | RuntimeException e) {
      rollback();
      boolean one = database.dialect().concernsOneWrite(e);
      if (group.size() > 1 && one) {
        group.forEach(q -> commit(List.of(q)));
      } else {
        JournalUnusable failure = JournalUnusable.write(e);
        LOG.warn("{}", failure.getMessage());
        if (!one) {
          // first: whoever hears of his write may look at once what is wrong
          database.refused(failure);
        }
        group.forEach(q -> q.stored.completeExceptionally(failure));
      }
    }
  }

  /** A transaction from here to the commit and not longer: between groups others may write. */
  private void insert(List<Queued> group) throws SQLException {
    Connection c = connected();
    c.setAutoCommit(false);
    long bytes = insertEvents(c, group);
    for (Queued queued : group) {
      for (Write write : queued.writes) {
        for (EpisodeRows.Change change : write.changes()) {
          EpisodeRows.apply(c, change);
        }
      }
      queued.work.on(c);
    }
    c.setAutoCommit(true);
    if (checkpoints.isPresent()) {
      checkpoints.get().committed(c, bytes);
    }
  }

  private long insertEvents(Connection c, List<Queued> group) throws SQLException {
    long bytes = 0;
    try (PreparedStatement insert =
        c.prepareStatement(
            "INSERT INTO journal (entity, seq, events, payload) VALUES (?, ?, ?, ?)")) {
      for (Queued queued : group) {
        for (Write write : queued.writes) {
          insert.setLong(1, number(c, write.persistenceId()));
          insert.setLong(2, write.seq());
          insert.setInt(3, write.events());
          insert.setBytes(4, write.payload());
          insert.addBatch();
          bytes += write.payload().length;
        }
      }
      if (bytes > 0) {
        insert.executeBatch();
      }
    }
    return bytes;
  }

  private long number(Connection c, String persistenceId) throws SQLException {
    Long known = numbers.get(persistenceId);
    if (known == null) {
      var stored = JournalRows.entity(c, persistenceId);
      known = stored.isPresent() ? stored.getAsLong() : JournalRows.newEntity(c, persistenceId);
      numbers.put(persistenceId, known);
    }
    return known;
  }

  private Connection connected() throws SQLException {
    if (connection == null || connection.isClosed()) {
      connection = database.writer();
    }
    return connection;
  }

  /** A failed group may have made numbers that are now undone. */
  private void rollback() {
    numbers.clear();
    try {
      if (connection != null) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      disconnect();
    }
  }

  private void disconnect() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      LOG.debug("closing the journal's connection failed", e);
    }
    connection = null;
  }

  /** Stores what waits, then ends. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
