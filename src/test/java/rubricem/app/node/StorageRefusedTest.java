package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.http.llm.Secret;
import rubricem.persistence.folder.EmbeddedJournal;

/** A node whose journal takes no writes for a while: triggers refuse them all. */
class StorageRefusedTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An episode whose writes failed some times pauses longer than this between its tries. */
  private static final Duration AT_ONCE = Duration.ofSeconds(3);

  @TempDir private Path scratch;
  private final HttpClient client = HttpClient.newHttpClient();

  private Config config() {
    return ConfigFactory.load()
        .withValue(
            "rubricem.data-dir",
            ConfigValueFactory.fromAnyRef(scratch.resolve("data").toString()));
  }

  private HttpResponse<String> send(NodeEdge edge, String path, Optional<String> body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(edge.address() + path)).timeout(AT_ONCE);
    body.ifPresent(
        text ->
            request.header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private void journal(String... statements) throws SQLException {
    try (Connection c =
            DriverManager.getConnection(EmbeddedJournal.address(scratch.resolve("data")));
        Statement statement = c.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void refuseWrites() throws SQLException {
    journal(
        "CREATE TRIGGER full1 BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'full'); END",
        "CREATE TRIGGER full2 BEFORE UPDATE ON schema_version BEGIN SELECT RAISE(ABORT, 'full');"
            + " END");
  }

  private interface Played {
    void with(ResearchNode node, NodeEdge edge) throws Exception;
  }

  @Test
  void commands_are_refused_at_once_and_alike_until_writes_succeed() throws Exception {
    play(this::refusals);
  }

  @Test
  void R44_the_start_that_finds_out_is_told_at_once() throws Exception {
    play(
        (node, edge) -> {
          begin(edge);
          journal(
              "CREATE TRIGGER full1 BEFORE INSERT ON journal BEGIN INSERT INTO gone VALUES (1);"
                  + " END");
          HttpResponse<String> start =
              send(edge, "/v1/research", Optional.of("{\"question\":\"tides\"}"));
          assertEquals(503, start.statusCode(), start.body());
          assertEquals(
              "urn:rubricem:problem:storage-unavailable",
              JSON.readTree(start.body()).get("type").asText());
          journal("DROP TRIGGER full1");
        });
  }

  private void play(Played played) throws Exception {
    Files.createDirectories(scratch.resolve("data"));
    Path script = scratch.resolve("script.jsonl");
    Files.writeString(
        script, JSON.writeValueAsString(Map.of("text", "late", "delay_ms", 120_000)) + "\n");
    Config config = config();
    NodeSettings settings = NodeSettings.of(config);
    try (ResearchNode node =
        new ResearchNode(config, settings, Secret.NONE, true, Clock.systemUTC())) {
      NodeEdge edge =
          NodeEdge.start(
                  node, EdgeConfig.settings(config, Optional.empty(), Optional.of(0)),
                  EdgeConfig.offer(
                      config, settings, List.of("scripted:" + script), List.of(scratch)),
                  EdgeConfig.doors(config))
              .toCompletableFuture().get();
      edge.readiness().ready();
      try {
        played.with(node, edge);
      } finally {
        edge.stop().toCompletableFuture().join();
      }
    }
  }

  private void refusals(ResearchNode node, NodeEdge edge) throws Exception {
    String running = begin(edge);
    String ended = begin(edge);
    assertEquals(202, send(edge, ended + "/cancel", Optional.of("")).statusCode());
    refuseWrites();
    node.storage().refused(true);
    String said = "";
    for (String command : List.of("/cancel", "/finish", "/cancel", "/finish")) {
      HttpResponse<String> answer = send(edge, running + command, Optional.of(""));
      assertEquals(503, answer.statusCode(), answer.body());
      JsonNode problem = JSON.readTree(answer.body());
      assertEquals("urn:rubricem:problem:storage-unavailable", problem.get("type").asText());
      String detail = problem.get("detail").asText();
      assertTrue(detail.contains("8 MB have to be free"), detail);
      assertTrue(said.isEmpty() || said.equals(detail), detail);
      said = detail;
    }
    HttpResponse<String> ready = send(edge, "/health/ready", Optional.empty());
    assertEquals(503, ready.statusCode());
    assertTrue(ready.body().contains("8 MB have to be free"), ready.body());
    assertEquals(202, send(edge, ended + "/cancel", Optional.of("")).statusCode());
    assertEquals(
        404, send(edge, "/v1/research/e01m8mp9y6eyv45aa4gv7xs9bd9/cancel", Optional.of(""))
            .statusCode());
    journal("DROP TRIGGER full1", "DROP TRIGGER full2");
    long patience = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (send(edge, "/health/ready", Optional.empty()).statusCode() != 200) {
      assertTrue(System.nanoTime() < patience, "it never became ready again");
    }
    assertEquals(202, send(edge, running + "/cancel", Optional.of("")).statusCode());
  }

  private String begin(NodeEdge edge) throws Exception {
    HttpResponse<String> begun =
        send(edge, "/v1/research", Optional.of("{\"question\":\"tides\"}"));
    assertEquals(202, begun.statusCode(), begun.body());
    return "/v1/research/" + JSON.readTree(begun.body()).get("id").asText();
  }
}
