package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand requests made from the description itself: its paths with any method, its parameters
 * and fields with values of the wrong kind. No answer may be a failure of ours or take long, and
 * afterwards the server must answer as before.
 */
class ApiFuzzTest {
  private static final int REQUESTS = 10_000;
  private static final int AT_ONCE = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW");
  private static final List<String> STRINGS =
      List.of(
          "", " ", "null", "true", "0", "-1", "1e400", "NaN", "9".repeat(40), "../../etc/passwd",
          "%", "%00", "\u0000", "\ud83d\ude00", "é".repeat(300), "<script>", "' OR 1=1 --",
          "${jndi:ldap://x}", "\r\nX: y", "a".repeat(3_000), "e" + "0".repeat(26), "S_1");

  private final Random random = new Random(20260728);
  private EdgeRig rig;
  private List<Map.Entry<String, JsonNode>> paths;
  private JsonNode schemas;
  private String episode;

  @Test
  void nothing_that_is_sent_breaks_it() throws Exception {
    try (EdgeRig made = new EdgeRig()) {
      rig = made;
      JsonNode api = EdgeRig.json(rig.get("/openapi.json"));
      paths = new ArrayList<>(api.get("paths").properties());
      schemas = api.at("/components/schemas");
      episode =
          EdgeRig.json(rig.post("/v1/research", "{\"question\":\"a\"}")).get("id").asText();
      rig.world.complete(new rubricem.protocol.EpisodeId(episode));
      // one that runs keeps event streams open; the fuzzed ones end at once
      rig.world.afterStart = rig.world::complete;
      AtomicReference<String> broken = new AtomicReference<>();
      Semaphore free = new Semaphore(AT_ONCE);
      for (int i = 0; i < REQUESTS && broken.get() == null; i++) {
        HttpRequest request = request();
        assertTrue(free.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it hangs");
        rig.client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .whenComplete(
                (response, failure) -> {
                  String wrong = wrong(request, response, failure);
                  if (wrong != null) {
                    broken.compareAndSet(null, wrong);
                  }
                  free.release();
                });
      }
      assertTrue(free.tryAcquire(AT_ONCE, PATIENCE.toSeconds(), TimeUnit.SECONDS), "it hangs");
      assertEquals(null, broken.get());
      HttpResponse<String> after = rig.post("/v1/research", "{\"question\":\"still there?\"}");
      assertEquals(202, after.statusCode(), after.body());
      assertEquals(200, rig.get("/v1/research?limit=200").statusCode());
      assertEquals(0, rig.edge.active().count());
      MemoryWorld.waitFor(() -> rig.edge.readers().count() == 0, "no reader left");
    }
  }

  private static String wrong(
      HttpRequest request, HttpResponse<String> response, Throwable failure) {
    String asked = request.method() + " " + request.uri() + ": ";
    if (failure != null) {
      return asked + failure;
    }
    if (response.statusCode() >= 500) {
      return asked + response.statusCode() + " " + response.body();
    }
    if (response.body().contains("\tat ") || response.body().contains("Exception")) {
      return asked + response.body();
    }
    String type = response.headers().firstValue("Content-Type").orElse("");
    // each door says it in the words of its protocol
    boolean isProblem =
        type.equals("application/problem+json")
            || type.equals("application/json")
                && (request.method().equals("HEAD") || response.body().contains("\"error\":{"));
    // an address of the page that leads to nothing gives the page, which says so
    boolean isPage =
        response.statusCode() == 404 && type.equals("text/html; charset=UTF-8")
            && !request.uri().getPath().startsWith("/v1/");
    return response.statusCode() >= 400 && !isProblem && !isPage
        ? asked + response.statusCode() + " is no problem: " + response.headers()
        : null;
  }

  private HttpRequest request() {
    Map.Entry<String, JsonNode> path = pick(paths);
    List<Map.Entry<String, JsonNode>> operations = new ArrayList<>(path.getValue().properties());
    JsonNode operation = pick(operations).getValue();
    String method =
        random.nextInt(4) == 0
            ? pick(METHODS)
            : operations.size() == 1
                ? operations.getFirst().getKey().toUpperCase(java.util.Locale.ROOT)
                : random.nextBoolean() ? "GET" : "POST";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(rig.uri(address(path.getKey(), operation))).timeout(PATIENCE);
    for (JsonNode parameter : operation.path("parameters")) {
      if (parameter.get("in").asText().equals("header") && random.nextBoolean()) {
        try {
          request.header(parameter.get("name").asText(), pick(STRINGS));
        } catch (IllegalArgumentException e) {
          // the client itself refuses to send it
        }
      }
    }
    if (random.nextInt(3) == 0) {
      request.header(
          "Accept", pick(List.of("*/*", "text/html", "text/event-stream", "x", "a/b;q=z", ",")));
    }
    request.header(
        "Content-Type",
        random.nextInt(10) == 0
            ? pick(List.of("text/plain", "application/x-www-form-urlencoded", "application/jsonl"))
            : "application/json");
    boolean bodiless = method.equals("GET") || method.equals("HEAD") || method.equals("TRACE");
    return request.method(
            method,
            bodiless
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(body(operation)))
        .build();
  }

  private String address(String template, JsonNode operation) {
    String path = template;
    while (path.contains("{")) {
      int from = path.indexOf('{');
      String known =
          path.startsWith("/v1/responses")
              ? "resp_" + episode
              : path.contains("{run}") ? ListedRuns.WITH_BANK : episode;
      String value = random.nextInt(3) > 0 ? known : pick(STRINGS);
      path = path.substring(0, from) + encoded(value) + path.substring(path.indexOf('}') + 1);
    }
    StringBuilder query = new StringBuilder();
    for (JsonNode parameter : operation.path("parameters")) {
      if (parameter.get("in").asText().equals("query") && random.nextBoolean()) {
        query.append(query.isEmpty() ? "?" : "&").append(parameter.get("name").asText())
            .append('=').append(encoded(pick(STRINGS)));
      }
    }
    return path + query;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private byte[] body(JsonNode operation) {
    String ref =
        operation.at("/requestBody/content/application~1json/schema/$ref")
            .asText("#/components/schemas/ResearchRequest");
    ObjectNode body = plausible(ref.substring(ref.lastIndexOf('/') + 1));
    schemas.at("/" + ref.substring(ref.lastIndexOf('/') + 1) + "/properties").properties().forEach(
        field -> {
          if (random.nextInt(3) == 0) {
            body.set(field.getKey(), value(0));
          }
        });
    if (random.nextInt(10) == 0) {
      body.set(pick(STRINGS), value(0));
    }
    String text = body.toString();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(5) == 0 && bytes.length > 2) {
      // broken somewhere: a byte changed or the rest missing
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      bytes = java.util.Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
    }
    return random.nextInt(500) == 0 ? new byte[2_000_000] : bytes;
  }

  /** Often enough right for what lies behind the reading of the body to be reached. */
  private ObjectNode plausible(String schema) {
    ObjectNode body = EdgeRig.JSON.createObjectNode();
    if (random.nextInt(3) == 0) {
      return body;
    }
    switch (schema) {
      case "ChatRequest" ->
          body.put("model", "rubricem").putArray("messages").addObject().put("role", "user")
              .put("content", pick(STRINGS));
      case "ResponseRequest" -> body.put("input", pick(STRINGS));
      case "McpMessage" -> {
        body.put("jsonrpc", "2.0").put("id", random.nextInt()).put("method", pick(MCP_METHODS));
        ObjectNode params = body.putObject("params").put("name", pick(MCP_TOOLS));
        params.put("uri", "research://" + (random.nextBoolean() ? episode : pick(STRINGS)));
        params.putObject("arguments").put(pick(List.of("id", "query", "question")), pick(STRINGS));
      }
      default -> body.put("question", pick(STRINGS));
    }
    return body;
  }

  private static final List<String> MCP_METHODS =
      List.of(
          "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read",
          "prompts/get", "completion/complete", "logging/setLevel", "nothing");
  private static final List<String> MCP_TOOLS =
      List.of("start_research", "get_research", "cancel_research", "search_corpus", "x");

  private JsonNode value(int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 8)) {
      case 0 -> EdgeRig.JSON.getNodeFactory().nullNode();
      case 1 -> EdgeRig.JSON.getNodeFactory().booleanNode(random.nextBoolean());
      case 2 -> EdgeRig.JSON.getNodeFactory().numberNode(random.nextLong());
      case 3 -> EdgeRig.JSON.getNodeFactory().numberNode(random.nextGaussian() * 1e6);
      case 4, 5 -> EdgeRig.JSON.getNodeFactory().textNode(pick(STRINGS));
      case 6 -> {
        ArrayNode array = EdgeRig.JSON.createArrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(depth + 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = EdgeRig.JSON.createObjectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          object.set(
              random.nextBoolean() ? pick(List.of("tool_calls", "seconds", "a")) : pick(STRINGS),
              value(depth + 1));
        }
        yield object;
      }
    };
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  @Test
  void half_a_request_and_a_dropped_one_hold_nothing() throws Exception {
    try (EdgeRig made = new EdgeRig()) {
      for (int i = 0; i < 50; i++) {
        try (var socket = new java.net.Socket("127.0.0.1", made.port())) {
          socket.getOutputStream().write(
              ("POST /v1/research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                  + "\r\nContent-Length: 100\r\n\r\n{\"que").getBytes(StandardCharsets.US_ASCII));
        }
      }
      assertEquals(200, made.get("/health/alive").statusCode());
      assertFalse(made.get("/metrics").body().contains("status=\"500\""));
    }
  }
}
