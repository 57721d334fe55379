package rubricem.gpu.embed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The texts that wait for the model, one by one. Whatever somebody waits for passes all background
 * work, so a query waits for one text at most. Bounded: a request that does not fit is refused at
 * once. Thread safe; knows nothing of the model.
 */
final class EmbedQueue {
  private final int textsMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<Wanted> urgent = new ArrayDeque<>();
  private final ArrayDeque<Wanted> background = new ArrayDeque<>();
  private boolean closed;

  /** One text of a request. */
  record Wanted(Request request, int at) {
    String text() {
      return request.texts.get(at);
    }

    void done(float[] vector) {
      request.vectors[at] = vector;
      if (request.left.decrementAndGet() == 0) {
        request.result.complete(List.of(request.vectors));
      }
    }

    void failed(Throwable cause) {
      request.result.completeExceptionally(cause);
    }

    /** Nobody waits for it any more, because another text failed or it was cancelled. */
    boolean isVoid() {
      return request.result.isDone();
    }
  }

  private static final class Request {
    private final List<String> texts;
    private final float[][] vectors;
    private final AtomicInteger left;
    private final CompletableFuture<List<float[]>> result = new CompletableFuture<>();

    Request(List<String> texts) {
      this.texts = texts;
      this.vectors = new float[texts.size()][];
      this.left = new AtomicInteger(texts.size());
    }
  }

  /** @param textsMax most texts that may wait */
  EmbedQueue(int textsMax) {
    this.textsMax = textsMax;
  }

  CompletionStage<List<float[]>> add(List<String> texts, boolean isUrgent) {
    if (texts.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    Request request = new Request(List.copyOf(texts));
    lock.lock();
    try {
      if (closed) {
        return refused("the embedding model is closed");
      }
      if (urgent.size() + background.size() + texts.size() > textsMax) {
        return refused("too many texts wait for the embedding model; the limit is " + textsMax);
      }
      for (int i = 0; i < texts.size(); i++) {
        (isUrgent ? urgent : background).add(new Wanted(request, i));
      }
      arrived.signalAll();
      return request.result;
    } finally {
      lock.unlock();
    }
  }

  private static CompletionStage<List<float[]>> refused(String message) {
    return CompletableFuture.failedFuture(new IllegalStateException(message));
  }

  /** The next text, urgent ones first; empty once it is closed. */
  Optional<Wanted> take() throws InterruptedException {
    lock.lock();
    try {
      while (urgent.isEmpty() && background.isEmpty() && !closed) {
        arrived.await();
      }
      return Optional.ofNullable(urgent.isEmpty() ? background.poll() : urgent.poll());
    } finally {
      lock.unlock();
    }
  }

  /** Refuses what comes and fails what waits. */
  void close() {
    List<Wanted> left = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      left.addAll(urgent);
      left.addAll(background);
      urgent.clear();
      background.clear();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    IllegalStateException cause = new IllegalStateException("the embedding model was closed");
    left.forEach(one -> one.failed(cause));
  }
}
