package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import rubricem.http.server.health.HealthDoor;
import rubricem.http.server.mcp.McpDoor;
import rubricem.http.server.mcp.McpDoorSettings;
import rubricem.http.server.openai.OpenAiDoor;
import rubricem.http.server.openai.OpenAiDoorSettings;
import rubricem.http.server.page.WebPage;
import rubricem.http.server.research.ResearchDoor;
import rubricem.http.server.run.RunDoor;
import rubricem.protocol.episode.EpisodeLimits;

/** A listening server on a free port over a world in memory, with the doors a test wants. */
public final class EdgeRig implements AutoCloseable {
  public static final ObjectMapper JSON = new ObjectMapper();
  public static final OpenAiDoorSettings OPENAI =
      new OpenAiDoorSettings(Duration.ofSeconds(20), Duration.ofMinutes(15));
  public static final McpDoorSettings MCP =
      new McpDoorSettings(Duration.ofSeconds(2), 400, 20, 50, Duration.ofMinutes(15));
  private static final EpisodeLimits LIMITS = new EpisodeLimits(10, 600, 1_000_000, 0);

  public final MemoryWorld world = new MemoryWorld();
  public final Edge edge;
  public final EdgeServer server;
  public final HttpClient client = HttpClient.newHttpClient();
  private final ActorSystem<Void> system;
  private final List<String> corpus;
  private final List<String> policies;

  public EdgeRig() {
    this(settings(2_000, Duration.ofSeconds(15)), EdgeRig::doors);
  }

  public EdgeRig(EdgeSettings settings, Function<Edge, List<FrontDoor>> doors) {
    this(settings, doors, List.of("/docs"));
  }

  /** @param corpus the folders that are searched */
  public EdgeRig(
      EdgeSettings settings, Function<Edge, List<FrontDoor>> doors, List<String> corpus) {
    this(settings, doors, corpus, List.of("extractive", "openai:http://localhost/v1#m"));
  }

  public EdgeRig(
      EdgeSettings settings, Function<Edge, List<FrontDoor>> doors, List<String> corpus,
      List<String> policies) {
    system =
        ActorSystem.create(
            Behaviors.empty(), "edge",
            ConfigFactory.parseString(
                    "pekko { actor.provider = local, loglevel = WARNING, log-dead-letters = off"
                        + ", coordinated-shutdown { run-by-jvm-shutdown-hook = off"
                        + ", exit-jvm = off } }")
                .withFallback(ConfigFactory.load()));
    this.corpus = corpus;
    this.policies = policies;
    edge = beside(settings);
    server =
        EdgeServer.start(system, edge, doors.apply(edge)).toCompletableFuture()
            .orTimeout(20, TimeUnit.SECONDS).join();
    edge.readiness().ready();
  }

  /** Another edge over the same world. */
  Edge beside(EdgeSettings settings) {
    return Edge.of(
        world.ports(), settings,
        new EdgeSettings.Offer(
            policies, Set.of("corpus"), corpus, LIMITS,
            new EpisodeLimits(100, 86_400, 100_000_000, 1_000), 32_768));
  }

  ActorSystem<Void> system() {
    return system;
  }

  /** Every door that the program has; the page last, because it takes any path. */
  public static List<FrontDoor> doors(Edge edge) {
    return new ArrayList<>(
        List.of(
            new ResearchDoor(edge), new OpenAiDoor(edge, OPENAI),
            new McpDoor(edge, MCP, ListedCorpus::new),
            new RunDoor(edge, new ListedRuns(), new ListedRuns()), new HealthDoor(edge),
            new WebPage(edge)));
  }

  public static EdgeSettings settings(int activeMax, Duration heartbeat) {
    return settings(
        activeMax, heartbeat,
        new EdgeSettings.Connections(4_096, Duration.ofSeconds(10), Duration.ofSeconds(75), 0.75));
  }

  public static EdgeSettings settings(
      int activeMax, Duration heartbeat, EdgeSettings.Connections connections) {
    return new EdgeSettings(
        "127.0.0.1", 0, List.of("lab.example"), List.of("https://pages.example"), 1_048_576,
        Duration.ofSeconds(10), connections, activeMax, Duration.ofSeconds(5), heartbeat, 32,
        Duration.ofSeconds(5));
  }

  public int port() {
    return server.address().getPort();
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).GET();
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return client.send(
        posting(path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  public HttpRequest posting(String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }

  public static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  /** The id of an episode that begins with this question. */
  public String started(String question) throws Exception {
    HttpResponse<String> started =
        post("/v1/research", JSON.createObjectNode().put("question", question).toString());
    assertEquals(202, started.statusCode(), started.body());
    return json(started).get("id").asText();
  }

  /** What a refusal says, once it is seen to be one of this kind, in its form. */
  public static JsonNode problem(int status, String kind, HttpResponse<String> response)
      throws Exception {
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(
        "application/problem+json", response.headers().firstValue("Content-Type").orElse(""));
    JsonNode problem = json(response);
    assertEquals("urn:rubricem:problem:" + kind, problem.get("type").asText(), response.body());
    assertEquals(status, problem.get("status").asInt());
    assertFalse(problem.get("title").asText().isBlank());
    assertFalse(problem.get("detail").asText().isBlank());
    return problem;
  }

  @Override
  public void close() {
    server.stop().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    client.shutdownNow();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
