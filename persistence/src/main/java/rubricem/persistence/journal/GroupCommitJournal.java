package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.PersistentRepr$;
import org.apache.pekko.persistence.journal.japi.AsyncWriteJournal;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/**
 * The journal plugin. Events that an entity persists together are one row and one atomic write;
 * rows of all entities share commits, see {@link GroupCommit}. It is ours because the stock JDBC
 * plugin stored ten times the text and a third of the turns a second on the embedded database;
 * {@code bench episodes} has the figures.
 */
public class GroupCommitJournal extends AsyncWriteJournal {
  private final JournalDatabase database =
      JournalExtension.get(context().system()).database();
  private final Serialization serialization = SerializationExtension.get(context().system());
  private final GroupCommit writer = database.commits();

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> writes) {
    List<Optional<Exception>> rejections = new ArrayList<>();
    List<GroupCommit.Write> accepted = new ArrayList<>();
    for (AtomicWrite write : writes) {
      try {
        accepted.add(frame(write));
        rejections.add(Optional.empty());
      } catch (Exception e) { // Scala throws checked exceptions that Java does not see
        rejections.add(Optional.of(e));
      }
    }
    CompletionStage<Iterable<Optional<Exception>>> stored =
        writer.store(accepted).thenApply(done -> rejections);
    return FutureConverters.asScala(stored);
  }

  private GroupCommit.Write frame(AtomicWrite write) {
    List<JournalFrames.Frame> frames = new ArrayList<>();
    List<EpisodeRows.Change> changes = new ArrayList<>();
    for (PersistentRepr event : CollectionConverters.asJava(write.payload())) {
      frames.add(SerializedPayload.frame(serialization, event.payload()));
      EpisodeRows.change(write.persistenceId(), event.payload()).ifPresent(changes::add);
    }
    return GroupCommit.Write.of(
        write.persistenceId(), write.lowestSequenceNr(), frames, changes);
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId, long from, long to, long max, Consumer<PersistentRepr> replay) {
    return read(() -> {
      try (Connection c = database.reader()) {
        var entity = JournalRows.entity(c, persistenceId);
        if (entity.isPresent() && max > 0) {
          long[] left = {max};
          long first = Math.max(from, JournalRows.deletedTo(c, entity.getAsLong()) + 1);
          JournalRows.read(
              c, entity.getAsLong(), first, to,
              row -> replay(persistenceId, row, first, to, left, replay));
        }
      }
      return null;
    });
  }

  private boolean replay(
      String id, JournalRows.Row row, long from, long to, long[] left,
      Consumer<PersistentRepr> replay) {
    long seq = row.seq();
    for (JournalFrames.Frame frame : row.frames()) {
      if (seq >= from && seq <= to && left[0] > 0) {
        Object payload = SerializedPayload.payload(serialization, frame);
        replay.accept(PersistentRepr$.MODULE$.apply(payload, seq, id, "", false, null, ""));
        left[0]--;
      }
      seq++;
    }
    return left[0] > 0;
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long from) {
    return read(() -> {
      try (Connection c = database.reader()) {
        return JournalRows.highest(c, persistenceId);
      }
    });
  }

  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long to) {
    return FutureConverters.asScala(
        writer.run(
            c -> delete(c, persistenceId, Math.min(to, JournalRows.highest(c, persistenceId)))));
  }

  /** Rows leave whole, once all their events are deleted; {@code deleted_to} hides the others. */
  private static void delete(Connection c, String persistenceId, long to) throws SQLException {
    var entity = JournalRows.entity(c, persistenceId);
    if (entity.isEmpty()) {
      return;
    }
    try (PreparedStatement mark =
            c.prepareStatement(
                "UPDATE journal_entity SET deleted_to = ? WHERE no = ? AND deleted_to < ?");
        PreparedStatement delete =
            c.prepareStatement(
                "DELETE FROM journal WHERE entity = ? AND seq + events - 1 <= ?")) {
      mark.setLong(1, to);
      mark.setLong(2, entity.getAsLong());
      mark.setLong(3, to);
      mark.executeUpdate();
      delete.setLong(1, entity.getAsLong());
      delete.setLong(2, to);
      delete.executeUpdate();
    }
  }

  private <T> Future<T> read(Callable<T> work) {
    return onReaders(database.readers(), work);
  }

  static <T> Future<T> onReaders(ExecutorService readers, Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    readers.execute(
        () -> {
          try {
            result.complete(work.call());
          } catch (Exception e) {
            result.completeExceptionally(e);
          }
        });
    return FutureConverters.asScala(result);
  }
}
