package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.app.bench.BurstNode;
import rubricem.http.server.SseReader;

/** A thousand episodes submitted at once over HTTP to a real node with a policy of no latency. */
class ManyAtOnceIT {
  private static final int EPISODES = 1_000;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path scratch;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void a_thousand_at_once_are_all_taken_and_all_end() throws Exception {
    try (BurstNode node = BurstNode.start(ConfigFactory.load(), scratch)) {
      URI base = node.address();
      Set<String> ids = submit(base);
      assertEquals(EPISODES, ids.size());
      String one = ids.iterator().next();
      try (SseReader reader = new SseReader(base.getPort(), "/v1/research/" + one + "/events")) {
        assertTrue(reader.numbers().size() > 5);
      }
      awaitEnds(base);
      assertEquals(ids, listed(base));
    }
  }

  private Set<String> submit(URI base) throws Exception {
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < EPISODES; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(base.resolve("/v1/research"))
              .header("Content-Type", "application/json").header("Idempotency-Key", "k" + i)
              .POST(HttpRequest.BodyPublishers.ofString("{\"question\":\"tides " + i + "\"}"))
              .build();
      sent.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }
    Set<String> ids = new HashSet<>();
    for (CompletableFuture<HttpResponse<String>> answer : sent) {
      assertEquals(202, answer.get().statusCode(), answer.get().body());
      ids.add(JSON.readTree(answer.get().body()).get("id").asText());
    }
    return ids;
  }

  private void awaitEnds(URI base) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!get(base, "/metrics").contains("rubricem_episodes_active 0\n")) {
      assertTrue(System.nanoTime() < until, "they do not end");
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertTrue(
        get(base, "/metrics")
            .contains("rubricem_tool_calls_total " + EPISODES + "\n"),
        get(base, "/metrics"));
  }

  private Set<String> listed(URI base) throws Exception {
    Set<String> ids = new HashSet<>();
    String cursor = "";
    do {
      JsonNode page =
          JSON.readTree(get(base, "/v1/research?status=completed&limit=200" + cursor));
      page.get("episodes").forEach(e -> ids.add(e.get("id").asText()));
      JsonNode next = page.get("next_cursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asText();
    } while (!cursor.isEmpty());
    return ids;
  }

  private String get(URI base, String path) throws Exception {
    return client.send(
            HttpRequest.newBuilder(base.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
