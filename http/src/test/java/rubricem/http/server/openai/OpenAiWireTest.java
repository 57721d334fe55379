package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.MemoryWorld;
import rubricem.http.server.PlayedEpisode;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeStatus;

/** What goes over the wire, as the libraries were found to need it. */
class OpenAiWireTest {
  private static final String CHAT =
      "{\"model\":\"rubricem\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]";

  private EdgeRig rig;
  private volatile EpisodeId last;

  @BeforeEach
  void start() throws Exception {
    rig = new EdgeRig(EdgeRig.settings(2_000, Duration.ofMillis(200)), EdgeRig::doors);
    rig.world.afterStart = id -> last = id;
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private CompletableFuture<HttpResponse<String>> begin(String path, String body) {
    return rig.client.sendAsync(rig.posting(path, body), HttpResponse.BodyHandlers.ofString());
  }

  private static List<JsonNode> data(String stream) throws Exception {
    List<JsonNode> events = new ArrayList<>();
    for (String line : stream.split("\n")) {
      if (line.startsWith("data: ") && !line.equals("data: [DONE]")) {
        events.add(EdgeRig.JSON.readTree(line.substring(6)));
      }
    }
    return events;
  }

  private void playAfterHeartbeats() {
    MemoryWorld.waitFor(() -> last != null && rig.world.watchers(last) > 1, "a reader");
    PlayedEpisode.search(rig.world, last);
    // longer than two heartbeats
    java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(600).toNanos());
    PlayedEpisode.answer(rig.world, last, "<cite id=\"S_1\">" + PlayedEpisode.CLAIM + "</cite>");
  }

  @Test
  void R21_streams_say_something_at_once_and_have_no_ids_and_no_empty_data() throws Exception {
    var chat =
        begin(
            "/v1/chat/completions",
            CHAT + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    playAfterHeartbeats();
    String stream = chat.get().body();
    assertTrue(stream.contains(": ping\n\n"), stream);
    assertFalse(stream.contains("\nid:") || stream.contains("retry:"), stream);
    assertFalse(stream.contains("data:\n") || stream.contains("data: \n"), stream);
    assertTrue(stream.endsWith("data: [DONE]\n\n"), stream);
    List<JsonNode> chunks = data(stream);
    assertEquals("assistant", chunks.getFirst().at("/choices/0/delta/role").asText());
    assertTrue(chunks.getFirst().get("usage").isNull());
    assertTrue(chunks.getLast().get("choices").isEmpty());
    assertEquals(30, chunks.getLast().at("/usage/total_tokens").asInt());
    assertEquals(1, chunks.stream().map(c -> c.get("id")).distinct().count());
    StringBuilder content = new StringBuilder();
    StringBuilder reasoning = new StringBuilder();
    for (JsonNode chunk : chunks) {
      content.append(chunk.at("/choices/0/delta/content").asText(""));
      reasoning.append(chunk.at("/choices/0/delta/reasoning_content").asText(""));
    }
    assertTrue(content.toString().startsWith(PlayedEpisode.CLAIM), content.toString());
    assertTrue(reasoning.toString().contains("Searching the documents: tides"));
  }

  @Test
  void responses_number_their_events_from_zero_and_name_them() throws Exception {
    var response = begin("/v1/responses", "{\"input\":\"a\",\"stream\":true}");
    playAfterHeartbeats();
    String stream = response.get().body();
    assertTrue(stream.contains(": ping\n\n"), stream);
    assertFalse(stream.contains("\nid:"), stream);
    List<JsonNode> events = data(stream);
    assertEquals(
        LongStream.range(0, events.size()).boxed().toList(),
        events.stream().map(e -> e.get("sequence_number").asLong()).toList());
    for (JsonNode event : events) {
      assertTrue(stream.contains("event: " + event.get("type").asText() + "\ndata: {\"type\""));
      assertFalse(event.has("error"), event.toString());
    }
  }

  @Test
  void R08_a_stream_ends_with_an_error_when_the_server_stops_and_goes_on_behind_it()
      throws Exception {
    var response = begin("/v1/responses", "{\"input\":\"a\",\"stream\":true}");
    var chat = begin("/v1/chat/completions", CHAT + ",\"stream\":true}");
    MemoryWorld.waitFor(() -> rig.edge.readers().count() == 2, "two readers");
    rig.server.stop().toCompletableFuture().get();
    List<JsonNode> events = data(response.get().body());
    assertEquals("error", events.getLast().get("type").asText());
    assertEquals(2, events.getLast().get("sequence_number").asInt());
    JsonNode error = data(chat.get().body()).getLast().get("error");
    assertEquals("not_ready", error.get("code").asText());
  }

  @Test
  void a_failure_in_a_stream_is_an_error_there() throws Exception {
    var chat = begin("/v1/chat/completions", CHAT + ",\"stream\":true}");
    var response = begin("/v1/responses", "{\"input\":\"b\",\"stream\":true}");
    MemoryWorld.waitFor(() -> rig.edge.readers().count() == 2, "two readers");
    for (long i = 1; i <= 2; i++) {
      PlayedEpisode.fail(rig.world, new EpisodeId(String.format("e%026d", i)));
    }
    JsonNode error = data(chat.get().body()).getLast().get("error");
    assertTrue(error.get("message").asText().contains("The model was away."), error.toString());
    JsonNode failed = data(response.get().body()).getLast();
    assertEquals("response.failed", failed.get("type").asText());
    assertEquals("failed", failed.at("/response/status").asText());
    assertEquals("The model was away.", failed.at("/response/error/message").asText());
  }

  @Test
  void fields_of_the_interface_that_mean_nothing_here_are_passed_over() throws Exception {
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
    HttpResponse<String> answer =
        rig.post(
            "/v1/chat/completions",
            CHAT + ",\"temperature\":0.2,\"tools\":[],\"seed\":1,\"n\":1,\"nobody_knows\":{},"
                + "\"metadata\":{\"a\":\"b\"},\"stream\":null}");
    assertEquals(200, answer.statusCode(), answer.body());
    EpisodeId id =
        new EpisodeId(answer.headers().firstValue("X-Rubricem-Episode").orElseThrow());
    assertEquals(
        Map.of("a", "b"), rig.world.stored(id).toCompletableFuture().join().get().metadata());
  }

  @Test
  void the_question_is_the_last_message_of_the_user() throws Exception {
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
    HttpResponse<String> answer =
        rig.post(
            "/v1/responses",
            "{\"input\":[{\"role\":\"user\",\"content\":\"old\"},{\"role\":\"assistant\","
                + "\"content\":\"x\"},{\"type\":\"message\",\"role\":\"user\",\"content\":["
                + "{\"type\":\"input_text\",\"text\":\"one\"},{\"type\":\"input_text\","
                + "\"text\":\"two\"}]},{\"type\":\"reasoning\"}]}");
    String id = EdgeRig.json(answer).get("id").asText();
    assertEquals(
        "one\ntwo",
        EdgeRig.json(rig.get("/v1/responses/" + id + "/input_items"))
            .at("/data/0/content/0/text").asText());
  }

  @Test
  void a_response_that_is_not_stored_is_shown_to_its_request_and_to_nobody_afterwards()
      throws Exception {
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
    String body = "{\"input\":\"a\",\"store\":false}";
    HttpResponse<String> answer = rig.post("/v1/responses", body);
    assertEquals(200, answer.statusCode(), answer.body());
    JsonNode response = EdgeRig.json(answer);
    assertFalse(response.get("store").asBoolean(), answer.body());
    assertTrue(response.get("metadata").isEmpty());
    String one = "/v1/responses/" + response.get("id").asText();
    for (HttpResponse<String> later :
        List.of(
            rig.get(one), rig.get(one + "?stream=true"), rig.get(one + "/input_items"),
            rig.post(one + "/cancel", ""))) {
      assertEquals(404, later.statusCode(), later.body());
      assertEquals(
          "unknown_response", EdgeRig.json(later).at("/error/code").asText(), later.body());
    }
    HttpResponse<String> behind =
        rig.post(
            "/v1/responses",
            "{\"input\":\"b\",\"previous_response_id\":\"" + response.get("id").asText() + "\"}");
    assertEquals(400, behind.statusCode(), behind.body());
    assertEquals(
        "previous_response_not_found", EdgeRig.json(behind).at("/error/code").asText());
    // the same request again is a repetition, and finds its episode
    assertEquals(response, EdgeRig.json(rig.post("/v1/responses", body)));
    String stream = rig.post("/v1/responses", body.replace("}", ",\"stream\":true}")).body();
    assertFalse(data(stream).getLast().at("/response/store").asBoolean(true), stream);
    for (String stored : List.of("true", "null")) {
      JsonNode kept =
          EdgeRig.json(rig.post("/v1/responses", "{\"input\":\"c\",\"store\":" + stored + "}"));
      assertTrue(kept.get("store").asBoolean(), kept.toString());
      assertEquals(200, rig.get("/v1/responses/" + kept.get("id").asText()).statusCode());
    }
    int before = rig.world.count();
    HttpResponse<String> both =
        rig.post("/v1/responses", "{\"input\":\"d\",\"store\":false,\"background\":true}");
    assertEquals(400, both.statusCode(), both.body());
    assertEquals("background", EdgeRig.json(both).at("/error/param").asText());
    assertEquals(before, rig.world.count());
  }

  @Test
  void instructions_are_given_back_as_they_were_sent_though_nothing_acts_on_them()
      throws Exception {
    String sent = "Be brief 🌊.\n\"Say\" it.";
    String quoted = EdgeRig.JSON.writeValueAsString(sent);
    HttpResponse<String> begun =
        rig.post(
            "/v1/responses",
            "{\"input\":\"a\",\"background\":true,\"metadata\":{\"mine\":\"x\"},"
                + "\"instructions\":" + quoted + "}");
    JsonNode response = EdgeRig.json(begun);
    assertEquals("instructions", begun.headers().firstValue(FieldTable.UNUSED).orElse(""));
    assertEquals(sent, response.get("instructions").asText());
    assertEquals("{\"mine\":\"x\"}", response.get("metadata").toString());
    String one = "/v1/responses/" + response.get("id").asText();
    PlayedEpisode.play(rig.world, last);
    assertEquals(sent, EdgeRig.json(rig.get(one)).get("instructions").asText());
    List<JsonNode> told =
        data(rig.get(one + "?stream=true").body()).stream()
            .filter(event -> event.has("response")).toList();
    assertEquals("response.completed", told.getLast().get("type").asText());
    for (JsonNode event : told) {
      assertEquals(sent, event.at("/response/instructions").asText(), event.toString());
    }
  }

  @Test
  void instructions_that_are_none_empty_or_longer_than_a_question_are_taken() throws Exception {
    record Case(String sent, String given) {}
    String longest = "\"" + "🌊".repeat(32_768) + "\"";
    for (Case c :
        List.of(
            new Case("null", "null"), new Case("\"\"", "\"\""), new Case("7", "null"),
            new Case(longest, longest), new Case(longest.replaceFirst("🌊", "🌊a"), "null"))) {
      JsonNode response =
          EdgeRig.json(
              rig.post(
                  "/v1/responses",
                  "{\"input\":\"" + c.sent().length() + c.given().length()
                      + "\",\"background\":true,\"instructions\":" + c.sent() + "}"));
      assertEquals(c.given(), response.get("instructions").toString());
    }
  }

  @Test
  void a_stream_is_resumed_behind_an_event_that_there_is_and_no_other() throws Exception {
    String id =
        EdgeRig.json(rig.post("/v1/responses", "{\"input\":\"a\",\"background\":true}"))
            .get("id").asText();
    String from = "/v1/responses/" + id + "?stream=true&starting_after=";
    // created and in_progress are all there is yet, and what a stopping server said behind them
    var behind =
        rig.client.sendAsync(
            HttpRequest.newBuilder(rig.uri(from + 2)).build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(400, rig.get(from + 3).statusCode());
    MemoryWorld.waitFor(() -> rig.edge.readers().count() == 1, "a reader");
    PlayedEpisode.search(rig.world, last);
    JsonNode running = EdgeRig.json(rig.get(from + 1_000));
    assertEquals("invalid_parameter", running.at("/error/code").asText(), running.toString());
    PlayedEpisode.answer(rig.world, last, "Nothing.");
    List<JsonNode> all = data(rig.get("/v1/responses/" + id + "?stream=true").body());
    int end = all.size() - 1;
    assertEquals(all.subList(3, end + 1), data(behind.get().body()));
    assertEquals(all.subList(3, end + 1), data(rig.get(from + 2).body()));
    assertEquals(List.of(), data(rig.get(from + end).body()));
    for (String beyond : List.of("" + (end + 1), "9223372036854775807", "-1", "x", "")) {
      HttpResponse<String> answer = rig.get(from + beyond);
      assertEquals(400, answer.statusCode(), beyond + answer.body());
      assertTrue(answer.body().contains("starting_after"), answer.body());
    }
  }

  @Test
  void problems_are_said_in_the_words_of_the_interface() throws Exception {
    record Case(String body, int status, String code, String param) {}
    for (Case c :
        List.of(
            new Case("{\"messages\":[]}", 400, "invalid_field", "model"),
            new Case(CHAT.replace("rubricem", "gpt") + "}", 404, "model_not_found", null),
            new Case("{\"model\":\"rubricem\",\"messages\":[]}", 400, "invalid_field", "messages"),
            new Case(CHAT + ",\"n\":2}", 400, "unsupported_value", "n"),
            new Case(
                CHAT.replace("\"a\"", "[{\"type\":\"image_url\"}]") + "}", 422, "out_of_bounds",
                "messages.0.content.0"),
            new Case("{", 400, "malformed_json", null))) {
      HttpResponse<String> answer = rig.post("/v1/chat/completions", c.body());
      assertEquals(c.status(), answer.statusCode(), answer.body());
      JsonNode error = EdgeRig.json(answer).get("error");
      assertEquals(c.code(), error.get("code").asText(), answer.body());
      assertEquals(c.param(), error.get("param").textValue(), answer.body());
      assertEquals("invalid_request_error", error.get("type").asText());
    }
    assertEquals(0, rig.world.count());
  }

  @Test
  void a_reader_who_goes_ends_the_episode_only_where_he_asked_for_it() throws Exception {
    for (boolean cancels : List.of(false, true)) {
      last = null;
      String body =
          CHAT.replace("\"a\"", "\"" + cancels + "\"") + ",\"stream\":true,"
              + "\"metadata\":{\"cancel_on_disconnect\":\"" + cancels + "\"}}";
      try (Socket socket = new Socket("127.0.0.1", rig.port())) {
        socket.getOutputStream().write(
            ("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
                    + " application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
        MemoryWorld.waitFor(() -> rig.edge.readers().count() == 1, "a reader");
      }
      MemoryWorld.waitFor(() -> rig.edge.readers().count() == 0, "no reader left");
      EpisodeStatus wanted = cancels ? EpisodeStatus.CANCELLED : EpisodeStatus.RUNNING;
      MemoryWorld.waitFor(
          () -> rig.world.stored(last).toCompletableFuture().join().get().status() == wanted,
          wanted.label());
    }
  }

  private void refused(String method, String path, int status, String code) throws Exception {
    HttpResponse<String> answer =
        rig.client.send(
            HttpRequest.newBuilder(rig.uri(path)).header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString("{\"input\":\"a\"}")).build(),
            HttpResponse.BodyHandlers.ofString());
    String at = method + " " + path + " " + answer.body();
    assertEquals(status, answer.statusCode(), at);
    assertEquals("application/json", answer.headers().firstValue("Content-Type").orElse(""), at);
    JsonNode error = EdgeRig.json(answer).get("error");
    assertEquals("invalid_request_error", error.get("type").asText(), at);
    assertEquals(code, error.get("code").asText(), at);
    assertTrue(error.get("param").isNull(), at);
    assertTrue(status == 405 || error.get("message").asText().contains("/v1/responses"), at);
    assertEquals(status == 405, answer.headers().firstValue("Allow").isPresent(), at);
  }

  @Test
  void what_else_openai_has_is_refused_in_its_words_and_says_what_is_offered() throws Exception {
    for (String path :
        List.of(
            "/v1/embeddings", "/v1/completions", "/v1/audio/speech", "/v1/images/generations",
            "/v1/files", "/v1/files/f-1/content", "/v1/vector_stores/v/search", "/v1/chat",
            "/v1/responses/compact/x", "/v1/chat/completions/c/messages", "/v1/models/a/b",
            "/v1/skills", "/v1/chat/completions/", "/chat/completions", "/responses", "/models")) {
      for (String method : List.of("GET", "POST", "DELETE", "PUT")) {
        refused(method, path, 404, "unknown_url");
      }
    }
    for (String path :
        List.of("/v1/responses/input_tokens", "/v1/responses/compact", "/v1/responses/x")) {
      refused("POST", path, 404, "unknown_url");
      refused("PUT", path, 404, "unknown_url");
    }
  }

  @Test
  void a_wrong_method_is_refused_in_the_same_words() throws Exception {
    for (String path : List.of("/v1/chat/completions", "/v1/responses")) {
      refused("GET", path, 405, "method_not_allowed");
      refused("PUT", path, 405, "method_not_allowed");
    }
    refused("POST", "/v1/models", 405, "method_not_allowed");
    refused("DELETE", "/v1/models/rubricem", 405, "method_not_allowed");
    refused("PATCH", "/v1/responses/resp_1", 405, "method_not_allowed");
  }

  @Test
  void what_is_not_of_openai_stays_a_problem() throws Exception {
    for (String path : List.of("/v1/research/a/b/c", "/v1/runs/a/b", "/v1/bank", "/v1/nothing")) {
      HttpResponse<String> answer = rig.post(path, "{}");
      assertEquals(
          "application/problem+json",
          answer.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", ""), path);
    }
  }
}
