package rubricem.http.server.research;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A bell with room for one ring: rung a thousand times while nobody listens, it is heard once. So
 * whoever rings never waits, and nothing piles up.
 */
final class Signal {
  private boolean rung;
  private CompletableFuture<Void> listener = new CompletableFuture<>();
  private boolean listening;

  void ring() {
    CompletableFuture<Void> heard;
    synchronized (this) {
      if (!listening) {
        rung = true;
        return;
      }
      listening = false;
      heard = listener;
      listener = new CompletableFuture<>();
    }
    heard.complete(null);
  }

  /** Completes at the next ring, at once if there was one; one listener at a time. */
  synchronized CompletionStage<Void> next() {
    if (rung) {
      rung = false;
      return CompletableFuture.completedStage(null);
    }
    listening = true;
    return listener;
  }
}
