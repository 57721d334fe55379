package rubricem.http.server.research;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import rubricem.http.server.Edge;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.Episodes;

/**
 * The events of one episode for one reader, pulled page by page from the event log at the reader's
 * own pace. The episode only rings a bell when there is more. So no event is missed or sent twice
 * whatever happens between reading and watching, a slow reader holds one page and nobody back, and
 * a lost bell costs a delay of a few seconds. {@link #next} is called by one caller at a time.
 */
public final class EventFeed {
  /** What the next step of a reader is about. */
  public sealed interface Batch {
    /** @param events the next ones, in order; never empty */
    record Events(List<EventStored> events) implements Batch {}

    /** @param frames of what is not stored: text as it is generated, stages, waits */
    record Shown(String frames) implements Batch {}

    /** The last one: the server stops, the episode goes on. */
    record ServerStops() implements Batch {}
  }

  /** The bell may be lost when an episode moves to another node: the log is looked at anyway. */
  private static final Duration LOOK_ANYWAY = Duration.ofSeconds(15);

  /** An episode that says it has ended while the log does not: the log is read again after this. */
  private static final Duration LOG_BEHIND = Duration.ofSeconds(1);

  private final Edge edge;
  private final EpisodeId id;
  private final Optional<PassingNews> news;
  private final Signal signal = new Signal();
  private final Runnable onServerStop = this::serverStops;
  private long last;
  private boolean terminal;
  private boolean ended;
  private volatile boolean serverStops;
  private volatile boolean closed;
  private volatile boolean watchEnded;
  private Episodes.@Nullable Watch watch;

  /**
   * @param after the number of the last event the reader has
   * @param terminal whether that event ended the episode
   */
  public EventFeed(
      Edge edge, EpisodeId id, long after, boolean terminal, boolean progress) {
    this.edge = edge;
    this.id = id;
    this.last = after;
    this.terminal = terminal;
    this.news = progress ? Optional.of(new PassingNews()) : Optional.empty();
  }

  /** From here on the reader must be closed. */
  public void open() {
    edge.readers().add(onServerStop);
  }

  private void serverStops() {
    serverStops = true;
    signal.ring();
  }

  /** The next batch; empty at the end. */
  public CompletionStage<Optional<Batch>> next() {
    if (ended || closed) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    if (serverStops) {
      ended = true;
      return CompletableFuture.completedStage(Optional.of(new Batch.ServerStops()));
    }
    return edge.ports().events().read(id, last, edge.settings().eventsAtOnce())
        .thenCompose(this::read);
  }

  private CompletionStage<Optional<Batch>> read(List<EventStored> page) {
    if (!page.isEmpty()) {
      for (EventStored stored : page) {
        if (stored.sequence() != last + 1) {
          throw new IllegalStateException(
              "event " + stored.sequence() + " of " + id + " follows " + last);
        }
        last = stored.sequence();
        terminal = isTerminal(stored.event());
      }
      return CompletableFuture.completedStage(Optional.of(new Batch.Events(page)));
    }
    if (terminal) {
      ended = true;
      return CompletableFuture.completedStage(Optional.empty());
    }
    Optional<String> shown = news.flatMap(PassingNews::take);
    if (shown.isPresent()) {
      return CompletableFuture.completedStage(Optional.of(new Batch.Shown(shown.get())));
    }
    return waiting().thenCompose(rung -> next());
  }

  private CompletionStage<Void> waiting() {
    boolean again = watchEnded;
    watchAgain();
    if (again) {
      CompletableFuture<Void> pause = new CompletableFuture<>();
      return pause.completeOnTimeout(null, LOG_BEHIND.toMillis(), TimeUnit.MILLISECONDS);
    }
    return signal.next().toCompletableFuture().copy()
        .completeOnTimeout(null, LOOK_ANYWAY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void watchAgain() {
    if (closed || watch != null && !watchEnded) {
      return;
    }
    closeWatch();
    watchEnded = false;
    watch = edge.ports().episodes().watch(id, last, this::on);
  }

  /** Called by the episode: it must not wait. */
  private void on(EpisodeProgress progress) {
    if (progress instanceof EpisodeProgress.WatchEnded) {
      watchEnded = true;
      signal.ring();
    } else if (progress instanceof EventStored) {
      signal.ring();
    } else if (news.filter(n -> n.add(progress)).isPresent()) {
      signal.ring();
    }
  }

  public static boolean isTerminal(EpisodeEvent event) {
    return event instanceof EpisodeEvent.EpisodeCompleted
        || event instanceof EpisodeEvent.EpisodeFailed
        || event instanceof EpisodeEvent.EpisodeCancelled;
  }

  /** The reader has gone, or has everything. */
  public synchronized void close() {
    closed = true;
    edge.readers().remove(onServerStop);
    closeWatch();
    signal.ring();
  }

  private void closeWatch() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
