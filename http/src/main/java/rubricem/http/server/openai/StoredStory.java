package rubricem.http.server.openai;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.http.server.research.EpisodeLookup;
import rubricem.http.server.research.EventFeed;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeView;

/** Reads what is stored of an episode: all of it as it stands, or up to its end, waiting for that. */
final class StoredStory {
  private final Edge edge;
  private final EpisodeLookup lookup;

  StoredStory(Edge edge) {
    this.edge = edge;
    this.lookup = new EpisodeLookup(edge);
  }

  /** Every event there is now, in order. */
  CompletionStage<Void> read(EpisodeId id, Consumer<EpisodeEvent> reader) {
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

  /** The episode once it has ended; a refusal that says so where that takes too long. */
  CompletionStage<EpisodeView> ended(EpisodeId id, Duration patience) {
    EventFeed feed = new EventFeed(edge, id, 0, false, false);
    feed.open();
    return followed(feed).toCompletableFuture()
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (ended, failure) -> {
              feed.close();
              if (failure instanceof java.util.concurrent.TimeoutException) {
                throw Problem.of(
                        Problem.Kind.TOO_SLOW,
                        "Episode " + id + " goes on. Send the same request again and it is waited"
                            + " for, or ask with stream or background.")
                    .with("Retry-After", "1").refusal();
              }
              if (failure != null) {
                throw new java.util.concurrent.CompletionException(failure);
              }
              return ended;
            })
        .thenCompose(
            ended -> {
              if (!ended) {
                throw Problem.of(
                        Problem.Kind.NOT_READY,
                        "The server stops. Episode " + id + " goes on at its next start; send the"
                            + " same request again.")
                    .with("Retry-After", "2").refusal();
              }
              return lookup.stored(id);
            });
  }

  /** Whether it came to the episode's end. */
  private static CompletionStage<Boolean> followed(EventFeed feed) {
    return feed.next()
        .thenCompose(
            (Optional<EventFeed.Batch> batch) ->
                batch.isEmpty()
                    ? CompletableFuture.completedStage(true)
                    : batch.get() instanceof EventFeed.Batch.ServerStops
                        ? CompletableFuture.completedStage(false)
                        : followed(feed));
  }
}
