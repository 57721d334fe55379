package rubricem.http.server;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import rubricem.http.server.metrics.Metrics;

/** Those who read events right now, so that they can be told when the server stops. */
public final class OpenReaders {
  private final Set<Runnable> stops = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> gone = new CompletableFuture<>();
  private volatile boolean stopping;

  public OpenReaders(Metrics metrics) {
    metrics.gauge(
        "rubricem_event_readers", "Readers of event streams that are open now.", stops::size);
  }

  /** @param stop tells the reader; called at most once, at once if the server is stopping */
  public void add(Runnable stop) {
    stops.add(stop);
    if (stopping) {
      stop.run();
    }
  }

  public void remove(Runnable stop) {
    stops.remove(stop);
    if (stopping && stops.isEmpty()) {
      gone.complete(null);
    }
  }

  public int count() {
    return stops.size();
  }

  /** Tells them all; completes when they have gone. */
  CompletionStage<Void> stop() {
    stopping = true;
    stops.forEach(Runnable::run);
    if (stops.isEmpty()) {
      gone.complete(null);
    }
    return gone;
  }
}
