package rubricem.persistence.corpus;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Runs the reading of one document on a thread of its own, so that a parser that hangs or runs out
 * of stack costs one document and not the indexing. A thread that does not come back is left
 * behind as a daemon; only so many may be left before every further document is refused.
 */
final class TimedReading {
  /** Nested pages recurse; the default stack of half a megabyte is reached by honest ones. */
  private static final long STACK_BYTES = 8L << 20;

  /** More stuck threads than this would eat the machine. */
  private static final int STUCK_MAX = 4;

  private final Duration timeout;
  private int stuck;

  /** A reading that may throw. */
  interface Work {
    Reading read() throws Exception;
  }

  TimedReading(Duration timeout) {
    this.timeout = timeout;
  }

  Reading run(Work work) throws InterruptedException {
    return start(work).result();
  }

  /** Begins to read; the time runs from when the result is asked for. */
  Running start(Work work) {
    FutureTask<Reading> task = new FutureTask<>(work::read);
    Thread thread = new Thread(null, task, "corpus-reading", STACK_BYTES);
    thread.setDaemon(true);
    if (stuck < STUCK_MAX) {
      thread.start();
    }
    return new Running(task, thread);
  }

  /** A reading under way. */
  final class Running {
    private final FutureTask<Reading> task;
    private final Thread thread;

    private Running(FutureTask<Reading> task, Thread thread) {
      this.task = task;
      this.thread = thread;
    }

    Reading result() throws InterruptedException {
      if (thread.getState() == Thread.State.NEW) {
        return new Reading.Unreadable(UnreadableKind.SKIPPED);
      }
      try {
        return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        task.cancel(true);
        thread.join(50);
        stuck += thread.isAlive() ? 1 : 0;
        return new Reading.Unreadable(UnreadableKind.TOO_SLOW, "" + timeout.toSeconds());
      } catch (ExecutionException e) {
        return failed(e.getCause() == null ? e : e.getCause());
      } catch (InterruptedException e) {
        task.cancel(true);
        throw e;
      }
    }
  }

  private static Reading failed(Throwable cause) {
    if (cause instanceof StackOverflowError) {
      return new Reading.Unreadable(UnreadableKind.NESTED);
    }
    if (cause instanceof java.io.IOException) {
      return new Reading.Unreadable(
          UnreadableKind.NOT_READABLE, cause.getClass().getSimpleName());
    }
    if (cause instanceof VirtualMachineError error) {
      throw error;
    }
    return OfficeDocuments.reason(cause);
  }
}
