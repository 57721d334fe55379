package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.http.server.SseReader;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Program.Running;

/** {@code serve} as a process: what is promised must survive that process. */
class ServeIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>d</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>"
          + "<call_tool name=\"local_search\">tides</call_tool>";
  private static final String ANSWER =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
          + "</rubric_review><writing_plan>w</writing_plan></review><answer>"
          + "<cite id=\"S_1\">The moon raises the tides.</cite></answer>";

  @TempDir static Path scratch;

  private final HttpClient client = HttpClient.newHttpClient();
  private Program program;
  private Path corpus;
  private Path script;

  @BeforeEach
  void documents() throws IOException {
    program = Program.in(scratch);
    corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("tides.txt"), "The moon raises the tides of the sea.");
    script = scratch.resolve("script.jsonl");
    Files.writeString(
        script,
        JSON.writeValueAsString(Map.of("text", PLAN)) + "\n"
            + JSON.writeValueAsString(Map.of("text", ANSWER, "delay_ms", 3_000)) + "\n");
  }

  private Running serve(Path data, String... more) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "serve", "--port", "0", "--corpus", corpus.toString(), "--data-dir",
                data.toString(), "--policy", "scripted:" + script, "--policy", "extractive"));
    args.addAll(List.of(more));
    return program.start(args.toArray(String[]::new));
  }

  private HttpResponse<String> get(URI base, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(base.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode ask(URI base, String body, String key) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(base.resolve("/v1/research"))
                .header("Content-Type", "application/json").header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(202, answer.statusCode(), answer.body());
    return JSON.readTree(answer.body());
  }

  private static void read(SseReader reader, List<Long> seen, int enough) throws IOException {
    while (seen.size() < enough) {
      SseReader.Block block = reader.next();
      if (!block.id().isEmpty()) {
        seen.add(Long.parseLong(block.id()));
      }
    }
  }

  @Test
  void R08_R16_a_killed_server_goes_on_and_readers_miss_nothing() throws Exception {
    Path data = scratch.resolve("killed");
    String body = "{\"question\":\"What raises the tides?\"}";
    Running first = serve(data);
    URI base = first.address();
    String id = ask(base, body, "one").get("id").asText();
    String events = "/v1/research/" + id + "/events";
    List<Long> seen = new ArrayList<>();
    try (SseReader reader = new SseReader(base.getPort(), events)) {
      // the answer takes three seconds: the episode is in the middle of it
      read(reader, seen, 5);
      assertNotEquals(0, first.kill().code());
    }
    Running second = serve(data);
    base = second.address();
    assertEquals(id, ask(base, body, "one").get("id").asText());
    try (SseReader reader =
        new SseReader(base.getPort(), events, "Last-Event-ID: " + seen.getLast())) {
      seen.addAll(reader.numbers());
    }
    JsonNode shown = JSON.readTree(get(base, "/v1/research/" + id).body());
    assertEquals("completed", shown.get("status").asText(), shown.toString());
    assertEquals("answered", shown.get("outcome").asText());
    assertEquals(
        LongStream.rangeClosed(1, shown.get("event_count").asLong()).boxed().toList(), seen);
    assertEquals(1, shown.get("usage").get("repeated_calls").asInt());
    assertTrue(
        get(base, "/v1/research/" + id + "/report").body()
            .contains("The moon raises the tides. [1]"));
    JsonNode source =
        JSON.readTree(get(base, "/v1/research/" + id + "/sources/S_1").body());
    assertEquals("The moon raises the tides of the sea.", source.get("text").asText());
    assertEquals("tides.txt", source.get("document").asText());
    terminated(second);
  }

  private String instructed(URI base, String instructions) throws Exception {
    HttpResponse<String> begun =
        client.send(
            HttpRequest.newBuilder(base.resolve("/v1/responses"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"input\":\"And the ebb?\",\"background\":true,\"instructions\":\""
                            + instructions + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, begun.statusCode(), begun.body());
    return JSON.readTree(begun.body()).get("id").asText();
  }

  private void terminated(Running server) throws Exception {
    new ProcessBuilder("kill", "-TERM", "" + server.process().pid()).start().waitFor();
    Ended ended = server.end();
    assertEquals(0, ended.code(), ended.err());
    assertEquals(1, ended.out().lines().count(), ended.out());
  }

  @Test
  void stopping_tells_readers_and_the_next_start_goes_on() throws Exception {
    Path data = scratch.resolve("stopped");
    Running first = serve(data);
    URI base = first.address();
    String id =
        ask(base, "{\"question\":\"What raises the tides?\"}", "two").get("id").asText();
    String response = "/v1/responses/" + instructed(base, "Be brief 🌊.");
    try (SseReader reader = new SseReader(base.getPort(), "/v1/research/" + id + "/events")) {
      read(reader, new ArrayList<>(), 4);
      terminated(first);
      SseReader.Block last = reader.next();
      while (last.comment().isEmpty()) {
        last = reader.next();
      }
      assertTrue(last.comment().contains("come back"), last.comment());
      assertEquals(null, reader.next());
    }
    Running second = serve(data);
    base = second.address();
    try (SseReader reader = new SseReader(base.getPort(), "/v1/research/" + id + "/events")) {
      reader.numbers();
    }
    assertEquals(
        "completed", JSON.readTree(get(base, "/v1/research/" + id).body()).get("status").asText());
    assertEquals(
        "Be brief 🌊.",
        JSON.readTree(get(base, response).body()).get("instructions").asText());
    assertEquals(
        "ready", JSON.readTree(get(base, "/health/ready").body()).get("status").asText());
    Ended interrupted = second.interrupt();
    assertEquals(130, interrupted.code(), interrupted.err());
  }

  @Test
  void says_in_one_line_what_keeps_it_from_serving() throws Exception {
    Running first = serve(scratch.resolve("port"));
    URI base = first.address();
    Ended taken =
        program.run(
            "serve", "--port", "" + base.getPort(), "--data-dir",
            scratch.resolve("other").toString(), "--corpus", corpus.toString(), "--quiet");
    assertEquals(1, taken.code(), taken.err());
    assertTrue(taken.err().contains("Choose another one with --port"), taken.err());
    assertEquals(1, taken.err().strip().lines().count(), taken.err());
    Ended nowhere =
        program.run(
            "serve", "--host", "no such host", "--port", "0", "--data-dir",
            scratch.resolve("other").toString(), "--quiet");
    assertEquals(1, nowhere.code(), nowhere.err());
    assertTrue(nowhere.err().contains("there is no such address"), nowhere.err());
    assertEquals(1, nowhere.err().strip().lines().count(), nowhere.err());
    Ended wrong = program.run("serve", "--policy", "magic", "--quiet");
    assertEquals(2, wrong.code(), wrong.err());
    terminated(first);
  }

  @Test
  void R42_a_server_with_nothing_to_search_takes_no_question_and_says_so() throws Exception {
    Running server =
        program.start("serve", "--port", "0", "--data-dir", scratch.resolve("bare").toString());
    try {
      URI base = server.address();
      for (String path : List.of("/v1/research", "/v1/chat/completions", "/v1/responses")) {
        String body =
            path.endsWith("research")
                ? "{\"question\":\"What raises the tides?\"}"
                : "{\"model\":\"rubricem\",\"input\":\"What raises the tides?\",\"messages\":"
                    + "[{\"role\":\"user\",\"content\":\"What raises the tides?\"}]}";
        HttpResponse<String> refused =
            client.send(
                HttpRequest.newBuilder(base.resolve(path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(422, refused.statusCode(), path + " " + refused.body());
        assertTrue(refused.body().contains("--corpus PATH"), refused.body());
      }
      assertEquals(0, JSON.readTree(get(base, "/v1/research").body()).get("episodes").size());
    } finally {
      server.kill();
    }
  }

  @Test
  void R42_a_start_names_what_could_not_be_read_and_serves_the_rest() throws Exception {
    Path mixed = Files.createDirectories(scratch.resolve("mixed"));
    Files.writeString(mixed.resolve("tides.txt"), "The moon raises the tides of the sea.");
    Files.writeString(mixed.resolve("broken.pdf"), "%PDF-1.4 nothing of it");
    Files.writeString(mixed.resolve("atlas.txt"), "Sea. ".repeat(2_000));
    Path config =
        Files.writeString(scratch.resolve("small.conf"), "rubricem.corpus.file-bytes-max = 5000");
    Running server =
        program.start(
            "serve", "--port", "0", "--corpus", mixed.toString(), "--data-dir",
            scratch.resolve("mixed-data").toString(), "--config", config.toString());
    URI base = server.address();
    assertEquals(200, get(base, "/health/ready").statusCode());
    String said = server.kill().err();
    List<String> named = said.lines().dropWhile(l -> !l.contains("could not be read")).toList();
    assertEquals("  2 documents could not be read:", named.getFirst(), said);
    assertTrue(said.contains("    atlas.txt: too large: it has more than 5000 bytes"), said);
    assertTrue(named.stream().anyMatch(l -> l.startsWith("    broken.pdf: ")), said);
  }
}
