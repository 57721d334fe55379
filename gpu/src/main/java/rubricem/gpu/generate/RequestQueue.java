package rubricem.gpu.generate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Requests that wait for a slot, first come first served, shared out so that no worker takes more
 * than its part of all the work there is. Bounded: what does not fit is refused. Thread safe.
 */
final class RequestQueue {
  private final int most;
  private final int workers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<RunningSequence> waiting = new ArrayDeque<>();
  private int running;
  private long changes;
  private boolean closed;

  RequestQueue(int most, int workers) {
    this.most = most;
    this.workers = workers;
  }

  /** All or none. */
  boolean offer(List<RunningSequence> sequences) {
    lock.lock();
    try {
      if (closed || waiting.size() + sequences.size() > most) {
        return false;
      }
      waiting.addAll(sequences);
      signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a worker may begin now, in order; stops at the first that does not fit, so that no long
   * request is passed for ever.
   *
   * @param own sequences of this worker
   */
  List<RunningSequence> take(int own, int free, Predicate<RunningSequence> fits) {
    lock.lock();
    try {
      List<RunningSequence> taken = new ArrayList<>();
      int share = Math.ceilDiv(waiting.size() + running, workers) - own;
      Iterator<RunningSequence> i = waiting.iterator();
      while (i.hasNext() && taken.size() < Math.min(free, share)) {
        RunningSequence next = i.next();
        if (!fits.test(next)) {
          break;
        }
        i.remove();
        taken.add(next);
      }
      running += taken.size();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  void ended(int sequences) {
    if (sequences > 0) {
      lock.lock();
      try {
        running -= sequences;
        signal();
      } finally {
        lock.unlock();
      }
    }
  }

  private void signal() {
    changes++;
    changed.signalAll();
  }

  /** Takes back what has not begun. */
  boolean remove(RunningSequence sequence) {
    lock.lock();
    try {
      return waiting.remove(sequence);
    } finally {
      lock.unlock();
    }
  }

  /** Counts what happened here; for {@link #await}. */
  long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits while nothing has happened since {@code seen} and nothing is there to be taken. */
  void await(long seen) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && waiting.isEmpty() && changes == seen) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  void wake() {
    lock.lock();
    try {
      signal();
    } finally {
      lock.unlock();
    }
  }

  List<RunningSequence> close() {
    lock.lock();
    try {
      closed = true;
      List<RunningSequence> left = List.copyOf(waiting);
      waiting.clear();
      signal();
      return left;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }
}
