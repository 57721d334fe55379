package rubricem.crash;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.persistence.AtomicWrite;
import rubricem.persistence.journal.GroupCommitJournal;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/**
 * The journal of a node that is to die: its process halts right before or right after the n-th
 * write of one episode, as if the power had gone.
 */
public final class HaltingJournal extends GroupCommitJournal {
  static final int HALTED = 99;

  /** Which write of which episode, counted from 1, and on which side of it. */
  record Point(String episode, int write, boolean before) {}

  static volatile Optional<Point> point = Optional.empty();
  private static final AtomicInteger WRITES = new AtomicInteger();

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(Iterable<AtomicWrite> writes) {
    Point here = point.orElse(new Point("", 0, false));
    boolean counted = false;
    for (AtomicWrite write : writes) {
      counted |= write.persistenceId().endsWith("|" + here.episode());
    }
    boolean dies = counted && WRITES.incrementAndGet() == here.write();
    if (dies && here.before()) {
      Runtime.getRuntime().halt(HALTED);
    }
    Future<Iterable<Optional<Exception>>> stored = super.doAsyncWriteMessages(writes);
    if (!dies) {
      return stored;
    }
    FutureConverters.asJava(stored)
        .whenComplete((result, failure) -> Runtime.getRuntime().halt(HALTED));
    return FutureConverters.asScala(new CompletableFuture<Iterable<Optional<Exception>>>());
  }
}
