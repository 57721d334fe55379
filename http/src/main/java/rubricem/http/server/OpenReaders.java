package rubricem.http.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import rubricem.http.server.metrics.Metrics;

/** Those who read events right now, so that they can be told when the server stops. */
public final class OpenReaders {
  private final Set<Runnable> stops = ConcurrentHashMap.newKeySet();
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
  }

  public int count() {
    return stops.size();
  }

  void stop() {
    stopping = true;
    stops.forEach(Runnable::run);
  }
}
