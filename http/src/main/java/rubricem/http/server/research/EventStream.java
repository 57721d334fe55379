package rubricem.http.server.research;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Exchange;
import rubricem.http.server.Problem;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress.EventStored;

/**
 * {@code GET /v1/research/{id}/events}: the stored events as server-sent events, then the live
 * ones, resumable by number. A quiet stream gets a comment every few seconds, which keeps proxies and
 * time-outs from cutting it and shows us readers that have gone.
 */
final class EventStream {
  private static final String TYPE = "text/event-stream";
  private static final long COME_BACK_MILLIS = 1_000;

  private final Edge edge;

  EventStream(Edge edge) {
    this.edge = edge;
  }

  CompletionStage<HttpResponse> answer(Exchange exchange) {
    exchange.accepted(TYPE);
    EpisodeId id = EpisodeLookup.id(exchange.path("id"));
    long after =
        number(
            exchange.header("Last-Event-ID").filter(text -> !text.isBlank())
                .or(() -> exchange.query("after")));
    boolean progress = flag(exchange.query("progress"));
    // with the reader's last event, to see whether there can be more
    return edge.ports().events().read(id, Math.max(0, after - 1), 1)
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                return missing(id, after);
              }
              boolean terminal =
                  after > 0 && EventFeed.isTerminal(found.getFirst().event());
              return java.util.concurrent.CompletableFuture.completedStage(
                  stream(new Opening(id, after, terminal, progress)));
            });
  }

  private record Opening(EpisodeId id, long after, boolean terminal, boolean progress) {}

  private CompletionStage<HttpResponse> missing(EpisodeId id, long after) {
    return edge.ports().events().read(id, 0, 1)
        .thenApply(
            (List<EventStored> first) -> {
              if (first.isEmpty()) {
                throw EpisodeLookup.unknown().refusal();
              }
              throw Problem.of(
                      Problem.Kind.INVALID_PARAMETER,
                      "The episode has no event " + after + ". Resume from one that was received.")
                  .refusal();
            });
  }

  private HttpResponse stream(Opening opening) {
    Source<ByteString, ?> frames =
        Source.lazySource(() -> source(opening))
            .prepend(Source.single(ByteString.fromString(SseFrames.retry(COME_BACK_MILLIS))))
            .keepAlive(edge.settings().heartbeat(), () -> SseFrames.HEARTBEAT);
    HttpResponse response =
        HttpResponse.create()
            .withEntity(
                HttpEntities.createChunked(
                    MediaTypes.TEXT_EVENT_STREAM.toContentType(), frames));
    return Answers.with(
        response,
        Map.of(
            "Cache-Control", "no-store", "X-Accel-Buffering", "no",
            "X-Content-Type-Options", "nosniff"));
  }

  /** Opened when the first bytes are wanted and closed however the stream ends. */
  private Source<ByteString, ?> source(Opening opening) {
    EventFeed feed =
        new EventFeed(
            edge, opening.id(), opening.after(), opening.terminal(), opening.progress());
    feed.open();
    return Source.unfoldAsync(
            feed, f -> f.next().thenApply(next -> next.map(b -> Pair.create(f, frames(b)))))
        .watchTermination(
            (mat, done) -> {
              done.whenComplete((d, failure) -> feed.close());
              return mat;
            });
  }

  private ByteString frames(EventFeed.Batch batch) {
    return ByteString.fromString(
        switch (batch) {
          case EventFeed.Batch.Events(List<EventStored> events) -> {
            StringBuilder frames = new StringBuilder();
            for (EventStored e : events) {
              frames.append(
                  SseFrames.stored(
                      e.sequence(), e.event().kind(),
                      edge.ports().eventJson().line(e.sequence(), e.event())));
            }
            yield frames.toString();
          }
          case EventFeed.Batch.Shown(String frames) -> frames;
          case EventFeed.Batch.ServerStops() ->
              SseFrames.comment("the server stops; come back with Last-Event-ID");
        });
  }

  private static long number(Optional<String> text) {
    try {
      long number = text.map(String::strip).map(Long::parseLong).orElse(0L);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Problem.of(
            Problem.Kind.INVALID_PARAMETER,
            "Last-Event-ID and after take the number of an event, from 0.")
        .refusal();
  }

  private static boolean flag(Optional<String> text) {
    return switch (text.orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw Problem.of(Problem.Kind.INVALID_PARAMETER, "progress takes true or false.")
              .refusal();
    };
  }
}
