package rubricem.gpu.train;

import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import rubricem.gpu.device.DeviceStoppedException;

/**
 * Threads that compute side by side, each with its own share of libtorch's threads: on a CPU two
 * workers with one thread each finish a step sooner than one with two, for nothing waits inside an
 * operation. Closing waits for what runs: a process that ends inside libtorch crashes.
 */
public final class Workers implements AutoCloseable {
  private static final long STOP_SECONDS = 600;

  private final int count;
  private final int threads;
  private final ExecutorService pool;

  /**
   * @param count workers
   * @param threads of libtorch for each
   */
  public Workers(int count, int threads) {
    this.count = count;
    this.threads = threads;
    pool =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon(true).name("learner-worker-", 0).factory());
  }

  public int count() {
    return count;
  }

  /** Runs one task on each worker and waits for all, also when one fails. */
  public <T> List<T> run(IntFunction<T> task) {
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int worker = i;
      running.add(
          pool.submit(
              () -> {
                JniUtils.setNumThreads(threads);
                // by thread, like the number above
                JniUtils.setGraphExecutorOptimize(false);
                return task.apply(worker);
              }));
    }
    List<T> results = new ArrayList<>();
    RuntimeException failure = null;
    for (Future<T> future : running) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        failure =
            e.getCause() instanceof DeviceStoppedException stopped
                ? stopped
                : new IllegalStateException("a worker of the learner failed", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = new IllegalStateException("the learner was stopped inside a step", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  @Override
  public void close() {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("a worker of the learner does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
