package rubricem.http.server.health;

import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;

/** For whoever runs the server: is it alive, does it take work, what does it do, what can it. */
public final class HealthDoor implements FrontDoor {
  /** The version of the text format is part of its type. */
  private static final ContentType METRICS =
      ContentTypes.parse("text/plain; version=0.0.4; charset=utf-8");

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

  private CompletionStage<HttpResponse> ready(Exchange exchange) {
    edge.readiness().check();
    return done(Map.of("status", "ready"));
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
