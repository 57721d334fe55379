package rubricem.http.llm;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Hands the bytes of a response to the one thread that reads it, piece by piece and only as fast as
 * it takes them, with a wait that ends. Cancelling closes the connection and wakes the reader.
 */
final class BodyQueue implements Flow.Subscriber<List<ByteBuffer>> {
  sealed interface Piece {
    record Bytes(List<ByteBuffer> buffers) implements Piece {}

    record End() implements Piece {}

    record Broken(String reason) implements Piece {}

    record Cancelled() implements Piece {}
  }

  private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
  private volatile boolean cancelled;

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription.set(given);
    if (cancelled) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    pieces.add(new Piece.Bytes(buffers));
  }

  @Override
  public void onError(Throwable failure) {
    pieces.add(new Piece.Broken(String.valueOf(failure.getMessage())));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece.End());
  }

  /** The next piece; null when none came in time. */
  @Nullable Piece next(Duration wait) throws InterruptedException {
    Piece piece = pieces.poll(Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
    Flow.Subscription from = subscription.get();
    if (piece instanceof Piece.Bytes && from != null) {
      from.request(1);
    }
    return piece;
  }

  void cancel() {
    cancelled = true;
    Flow.Subscription from = subscription.get();
    if (from != null) {
      from.cancel();
    }
    pieces.add(new Piece.Cancelled());
  }
}
