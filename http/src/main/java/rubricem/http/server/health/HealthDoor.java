package rubricem.http.server.health;

import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.EpisodeStarting;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeIndex;

/** For whoever runs the server: is it alive, does it take work, what does it do, what can it. */
public final class HealthDoor implements FrontDoor {
  /** The version of the text format is part of its type. */
  private static final ContentType METRICS =
      ContentTypes.parse("text/plain; version=0.0.4; charset=utf-8");

  /** Whoever asks whether a server is ready waits a few seconds at most. */
  private static final Duration DATABASE_PATIENCE = Duration.ofSeconds(2);

  private static final EpisodeIndex.Query ONE =
      new EpisodeIndex.Query(Optional.empty(), Optional.empty(), "", 1);

  private static final Logger LOG = LoggerFactory.getLogger(HealthDoor.class);
  private static final String DESCRIPTION = "/openapi/openapi.json";

  private final Edge edge;
  private final byte[] description;

  public HealthDoor(Edge edge) {
    this.edge = edge;
    try (InputStream in = HealthDoor.class.getResourceAsStream(DESCRIPTION)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks " + DESCRIPTION);
      }
      this.description = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(GET, "/health/alive", e -> done(Map.of("status", "alive"))),
        Endpoint.of(GET, "/health/ready", this::ready),
        Endpoint.of(GET, "/metrics", this::metrics),
        Endpoint.of(
            GET, "/openapi.json",
            e ->
                CompletableFuture.completedStage(
                    Answers.bytes(200, ContentTypes.APPLICATION_JSON, description))));
  }

  /** Ready is who would take a question now: there is something to search, and it can be stored. */
  private CompletionStage<HttpResponse> ready(Exchange exchange) {
    edge.readiness().check();
    if (edge.offer().sources().equals(Set.of("corpus")) && edge.offer().corpus().isEmpty()) {
      throw Problem.of(Problem.Kind.NOT_READY, EpisodeStarting.NOTHING_TO_SEARCH).refusal();
    }
    String note = edge.readiness().note();
    return stored()
        .thenCompose(
            there ->
                done(
                    note.isEmpty()
                        ? Map.of("status", "ready")
                        : Map.of("status", "ready", "note", note)));
  }

  private CompletionStage<?> stored() {
    CompletionStage<?> asked;
    try {
      asked = edge.ports().index().page(ONE);
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedStage(e);
    }
    return asked.toCompletableFuture().copy()
        .orTimeout(DATABASE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            failure -> {
              LOG.warn("the database does not answer", failure);
              throw Problem.of(
                      Problem.Kind.NOT_READY,
                      "The database does not answer. The log of the server says why; ask again when"
                          + " it is back.")
                  .with("Retry-After", "5").refusal();
            });
  }

  private CompletionStage<HttpResponse> done(Map<String, String> body) {
    return CompletableFuture.completedStage(Answers.json(200, edge.ports().json(), body));
  }

  private CompletionStage<HttpResponse> metrics(Exchange exchange) {
    return CompletableFuture.completedStage(
        Answers.bytes(
            200,
            METRICS,
            edge.metrics().text().getBytes(StandardCharsets.UTF_8)));
  }
}
