package rubricem.http.fake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The stand-in by itself, seen by a client that knows nothing of it: what others may rely on. */
class FakeModelServerTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String HELLO =
      "\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]";

  private static HttpResponse<String> post(FakeModelServer server, String body) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(server.baseUrl() + "/chat/completions"))
            .header("Authorization", "Bearer k-1").timeout(Duration.ofSeconds(20))
            .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static List<JsonNode> events(String stream) throws Exception {
    List<JsonNode> events = new ArrayList<>();
    String[] blocks = stream.split("\n\n");
    assertEquals("data: [DONE]", blocks[blocks.length - 1]);
    for (int i = 0; i < blocks.length - 1; i++) {
      events.add(JSON.readTree(blocks[i].substring("data: ".length())));
    }
    return events;
  }

  private static String content(List<JsonNode> events) {
    StringBuilder text = new StringBuilder();
    events.forEach(e -> text.append(e.at("/choices/0/delta/content").asText("")));
    return text.toString();
  }

  @Test
  void streams_as_the_wire_format_says() throws Exception {
    try (FakeModelServer server =
        FakeModelServer.start(0, FakeScript.inOrder(FakeBehaviour.says("x".repeat(100))))) {
      HttpResponse<String> response =
          post(server,
              "{" + HELLO + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
      assertTrue(response.headers().firstValue("content-type").get().startsWith(
          "text/event-stream"));
      List<JsonNode> events = events(response.body());
      assertEquals("assistant", events.getFirst().at("/choices/0/delta/role").asText());
      assertEquals(1, events.stream().map(e -> e.path("id").asText()).distinct().count());
      assertEquals("x".repeat(100), content(events));
      JsonNode usage = events.getLast();
      assertTrue(usage.path("choices").isEmpty());
      assertEquals(26, usage.at("/usage/total_tokens").asInt());
      assertTrue(events.getFirst().path("usage").isNull());
      assertEquals("stop", events.get(events.size() - 2).at("/choices/0/finish_reason").asText());
      assertFalse(post(server, "{" + HELLO + ",\"stream\":true}").body().contains("usage"));
    }
  }

  @Test
  void applies_stop_texts_and_the_output_limit() throws Exception {
    try (FakeModelServer server =
        FakeModelServer.start(0, FakeScript.inOrder(FakeBehaviour.says("one</a>two</b>three")))) {
      JsonNode cut = JSON.readTree(post(server,
          "{" + HELLO + ",\"stop\":[\"</b>\",\"</a>\"]}").body());
      assertEquals("one", cut.at("/choices/0/message/content").asText());
      JsonNode kept = JSON.readTree(post(server,
          "{" + HELLO + ",\"stop\":\"</b>\",\"include_stop_str_in_output\":true}").body());
      assertEquals("one</a>two</b>", kept.at("/choices/0/message/content").asText());
      JsonNode limited = JSON.readTree(post(server, "{" + HELLO + ",\"max_tokens\":2}").body());
      assertEquals("one</a>t", limited.at("/choices/0/message/content").asText());
      assertEquals("length", limited.at("/choices/0/finish_reason").asText());
    }
  }

  @Test
  void performs_its_script_in_order_and_remembers_every_request() throws Exception {
    try (FakeModelServer server =
        FakeModelServer.start(
            0,
            FakeScript.inOrder(
                FakeBehaviour.rateLimited(Optional.of(Duration.ofSeconds(7))),
                FakeBehaviour.unauthorizedEchoingKey(),
                FakeBehaviour.htmlGatewayTimeout(),
                FakeBehaviour.unavailable(),
                FakeBehaviour.failsAfter(2),
                FakeBehaviour.says("at last")))) {
      HttpResponse<String> limited = post(server, "{" + HELLO + "}");
      assertEquals(429, limited.statusCode());
      assertEquals("7", limited.headers().firstValue("retry-after").get());
      assertTrue(post(server, "{" + HELLO + "}").body().contains("provided: k-1."));
      assertEquals("text/html",
          post(server, "{" + HELLO + "}").headers().firstValue("content-type").get());
      assertEquals(503, post(server, "{" + HELLO + "}").statusCode());
      assertTrue(post(server, "{" + HELLO + "}").body().contains("\"error\""));
      for (int i = 0; i < 2; i++) {
        assertTrue(post(server, "{" + HELLO + "}").body().contains("at last"));
      }
      assertEquals(7, server.requests().size());
      assertEquals(List.of("Hi"), server.requests().getLast().texts("user"));
      assertEquals(Optional.of("Bearer k-1"), server.requests().getFirst().header("authorization"));
    }
  }

  @Test
  void drops_and_cuts_are_broken_connections() throws Exception {
    try (FakeModelServer server =
        FakeModelServer.start(
            0, FakeScript.inOrder(new FakeBehaviour.Drop(), FakeBehaviour.cutsAfter(2)))) {
      assertThrows(IOException.class, () -> post(server, "{" + HELLO + "}"));
      assertThrows(IOException.class, () -> post(server, "{" + HELLO + "}"));
    }
  }

  @Test
  void closing_ends_a_stall() throws Exception {
    FakeModelServer server =
        FakeModelServer.start(0, FakeScript.inOrder(FakeBehaviour.stallsAfter(1)));
    var waiting =
        CLIENT.sendAsync(
            HttpRequest.newBuilder(URI.create(server.baseUrl() + "/chat/completions"))
                .POST(HttpRequest.BodyPublishers.ofString("{" + HELLO + "}")).build(),
            HttpResponse.BodyHandlers.ofLines());
    var lines = waiting.join().body().iterator();
    assertTrue(lines.next().contains("word1"));
    server.close();
    assertThrows(RuntimeException.class, () -> {
      while (lines.hasNext()) {
        lines.next();
      }
    });
  }

  @Test
  void refuses_what_is_no_request_in_the_shape_clients_know() throws Exception {
    try (FakeModelServer server = FakeModelServer.start(0, FakeScript.researcher())) {
      for (String bad : List.of("", "{", "[]", "{\"model\":\"m\"}", "{\"messages\":[]}")) {
        HttpResponse<String> response = post(server, bad);
        assertEquals(400, response.statusCode());
        assertTrue(JSON.readTree(response.body()).at("/error/message").isTextual());
      }
      assertEquals(0, server.requests().size());
      HttpResponse<String> models =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(server.baseUrl() + "/models")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals("fake", JSON.readTree(models.body()).at("/data/0/id").asText());
      assertEquals(404, CLIENT.send(
          HttpRequest.newBuilder(URI.create(server.baseUrl() + "/embeddings")).build(),
          HttpResponse.BodyHandlers.discarding()).statusCode());
    }
  }
}
