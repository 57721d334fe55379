package rubricem.gpu.device;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one thread that owns tensors: it runs what is submitted, one piece after the other, in the
 * order of submission. What waits is bounded. Stopping lets the running piece come to its end and
 * fails those that have not begun; nothing is ever interrupted, because a process that ends inside
 * libtorch crashes. The end of the process waits for the same, also when a signal brings it.
 */
public final class DeviceThread implements AutoCloseable {
  /** Pieces of work that wait; each holds the arrays of a batch, and a step takes seconds. */
  public static final int WAITING_MAX = 256;

  private record Piece(Runnable work, Runnable refuse) {}

  private final BlockingQueue<Piece> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final Object admission = new Object();
  private final Object telling = new Object();
  private final List<Runnable> whenStopping = new ArrayList<>();
  private final Thread thread;
  private final Thread atExit;

  private DeviceThread(String name) {
    thread = Thread.ofPlatform().daemon(true).name(name).unstarted(this::run);
    atExit = Thread.ofPlatform().name(name + "-exit").unstarted(this::stopAndWait);
  }

  /** Starts one. */
  public static DeviceThread start(String name) {
    DeviceThread started = new DeviceThread(name);
    started.thread.start();
    Runtime.getRuntime().addShutdownHook(started.atExit);
    return started;
  }

  /**
   * Appends a piece of work.
   *
   * @return its result; {@link DeviceBusyException} where too much waits, {@link
   *     DeviceStoppedException} where it will never begin
   */
  public <T> CompletableFuture<T> submit(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Piece piece =
        new Piece(
            () -> complete(result, work),
            () -> result.completeExceptionally(new DeviceStoppedException()));
    synchronized (admission) {
      if (stopping.get()) {
        piece.refuse().run();
      } else if (!waiting.offer(piece)) {
        result.completeExceptionally(new DeviceBusyException(WAITING_MAX));
      }
    }
    return result;
  }

  /** Submits and waits; what the work throws is thrown here. */
  public <T> T call(Callable<T> work) {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException("the device's thread would wait for itself");
    }
    try {
      return submit(work).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw e;
    }
  }

  /** The same for work that reads and writes. */
  public <T> T callIo(Callable<T> work) throws IOException {
    try {
      return call(work);
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw e;
    }
  }

  // whatever the work throws belongs to who asked for it, an error of the VM too
  private static <T> void complete(CompletableFuture<T> result, Callable<T> work) {
    try {
      result.complete(work.call());
    } catch (Exception | Error e) {
      result.completeExceptionally(e);
    }
  }

  /** Whether the process, or whoever owns this, wants the running piece to come to an end soon. */
  public boolean stopping() {
    return stopping.get();
  }

  private void run() {
    while (!stopping.get()) {
      try {
        waiting.take().work().run();
      } catch (InterruptedException e) {
        // only stopping wakes it; the flag decides
      }
    }
    List<Piece> left = new ArrayList<>();
    waiting.drainTo(left);
    left.forEach(piece -> piece.refuse().run());
  }

  /** Asks for an end, tells who wanted to hear of it, and does not wait for the running piece. */
  public void stop() {
    // whoever comes second returns when all have been told too
    synchronized (telling) {
      List<Runnable> told = List.of();
      synchronized (admission) {
        if (!stopping.getAndSet(true)) {
          told = List.copyOf(whenStopping);
          // wakes it where it waits for work; inside work nobody looks at this
          waiting.offer(new Piece(() -> {}, () -> {}));
        }
      }
      told.forEach(Runnable::run);
    }
  }

  /**
   * Who uses the device by other threads ends them when told; at once where an end is wanted
   * already.
   *
   * @param told whoever stops this waits for it
   */
  public void whenStopping(Runnable told) {
    synchronized (admission) {
      if (!stopping.get()) {
        whenStopping.add(told);
        return;
      }
    }
    told.run();
  }

  /** For work that goes on long: a place where it can be given up without harm. */
  public void check() {
    if (stopping.get()) {
      throw new DeviceStoppedException();
    }
  }

  private void stopAndWait() {
    stop();
    boolean interrupted = false;
    while (thread.isAlive() && Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stopAndWait();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // the process ends already, and the hook finds nothing left to wait for
    }
  }
}
