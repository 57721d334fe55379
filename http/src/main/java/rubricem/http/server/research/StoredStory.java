package rubricem.http.server.research;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeView;

/** Reads what is stored of an episode: as it stands, or up to its end, waiting for that. */
public final class StoredStory {
  private final Edge edge;
  private final EpisodeLookup lookup;

  public StoredStory(Edge edge) {
    this.edge = edge;
    this.lookup = new EpisodeLookup(edge);
  }

  /** Every event there is now, in order. */
  public CompletionStage<Void> read(EpisodeId id, Consumer<EpisodeEvent> reader) {
    return read(id, 0, reader);
  }

  private CompletionStage<Void> read(EpisodeId id, long after, Consumer<EpisodeEvent> reader) {
    int limit = edge.settings().eventsAtOnce();
    return edge.ports().events().read(id, after, limit)
        .thenCompose(
            (List<EventStored> page) -> {
              page.forEach(e -> reader.accept(e.event()));
              return page.size() < limit
                  ? CompletableFuture.completedStage(null)
                  : read(id, page.getLast().sequence(), reader);
            });
  }

  /** The episode once it has ended; empty where that takes longer. */
  public CompletionStage<Optional<EpisodeView>> ended(EpisodeId id, Duration patience) {
    EventFeed feed = new EventFeed(edge, id, 0, false, false);
    feed.open();
    return followed(feed).toCompletableFuture().copy()
        .completeOnTimeout(End.TOO_LONG, patience.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((end, failure) -> feed.close())
        .thenCompose(
            end ->
                switch (end) {
                  case REACHED -> lookup.stored(id).thenApply(Optional::of);
                  case TOO_LONG -> CompletableFuture.completedStage(Optional.empty());
                  case SERVER_STOPS ->
                      throw Problem.of(
                              Problem.Kind.NOT_READY,
                              "The server stops. Episode " + id + " goes on at its next start; ask"
                                  + " again then.")
                          .with("Retry-After", "2").refusal();
                });
  }

  private enum End {
    REACHED,
    TOO_LONG,
    SERVER_STOPS
  }

  private static CompletionStage<End> followed(EventFeed feed) {
    return feed.next()
        .thenCompose(
            (Optional<EventFeed.Batch> batch) ->
                batch.isEmpty()
                    ? CompletableFuture.completedStage(End.REACHED)
                    : batch.get() instanceof EventFeed.Batch.ServerStops
                        ? CompletableFuture.completedStage(End.SERVER_STOPS)
                        : followed(feed));
  }
}
