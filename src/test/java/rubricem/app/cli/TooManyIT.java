package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.RateLimitException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Running;

/**
 * A server that takes one episode at once: every door says no and when to come back, and the clients
 * that heed it need nobody's help.
 */
class TooManyIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ChatCompletionCreateParams CHAT =
      ChatCompletionCreateParams.builder().model("rubricem-extractive")
          .addUserMessage("What raises the tides?").build();

  @TempDir Path scratch;

  private final HttpClient client = HttpClient.newHttpClient();
  private URI base;

  private Running server() throws Exception {
    Path corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("tides.txt"), "The moon raises the tides of the sea.");
    Path script =
        Files.writeString(
            scratch.resolve("slow.jsonl"),
            JSON.writeValueAsString(Map.of("text", "late", "delay_ms", 600_000)) + "\n");
    Path config =
        Files.writeString(
            scratch.resolve("one.conf"),
            "rubricem.server { active-max = 1, retry-after = 1 s }");
    Running server =
        Program.in(scratch)
            .start(
                "serve", "--port", "0", "--corpus", corpus.toString(), "--data-dir",
                scratch.resolve("data").toString(), "--config", config.toString(), "--policy",
                "scripted:" + script, "--policy", "extractive");
    base = server.address();
    return server;
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(base.resolve(path)).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String get(String path) throws Exception {
    return client.send(
            HttpRequest.newBuilder(base.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static JsonNode refused(HttpResponse<String> answer) throws Exception {
    assertEquals(429, answer.statusCode(), answer.body());
    assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""), answer.body());
    return JSON.readTree(answer.body());
  }

  private OpenAIClient openai(int retries) {
    return OpenAIOkHttpClient.builder().baseUrl(base + "/v1").apiKey("k").maxRetries(retries)
        .build();
  }

  private static CallToolResult start(McpSyncClient host) {
    return host.callTool(
        CallToolRequest.builder("start_research")
            .arguments(Map.of("question", "What raises the tides?", "policy", "extractive"))
            .build());
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().getFirst()).text();
  }

  /** How often the door has said no. */
  private int refusals(String route) throws Exception {
    Matcher line =
        Pattern.compile(
                "rubricem_http_requests_total\\{[^}]*route=\"" + route
                    + "\"[^}]*status=\"429\"[^}]*} (\\d+)")
            .matcher(get("/metrics"));
    return line.find() ? Integer.parseInt(line.group(1)) : 0;
  }

  private void awaitRefusals(String route, int count) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (refusals(route) < count) {
      assertTrue(System.nanoTime() < until, get("/metrics"));
    }
  }

  private void nativeAndOpenAiDoorsRefuse() throws Exception {
    assertEquals(
        "urn:rubricem:problem:too-many-episodes",
        refused(post("/v1/research", "{\"question\":\"b\"}")).get("type").asText());
    for (String path : new String[] {"/v1/chat/completions", "/v1/responses"}) {
      String body =
          "{\"model\":\"rubricem\",\"input\":\"b\",\"messages\":[{\"role\":\"user\","
              + "\"content\":\"b\"}]}";
      JsonNode error = refused(post(path, body)).get("error");
      assertEquals("rate_limit_error", error.get("type").asText(), path);
      assertEquals("rate_limit_exceeded", error.get("code").asText(), path);
    }
    OpenAIClient impatient = openai(0);
    assertThrows(RateLimitException.class, () -> impatient.chat().completions().create(CHAT));
    impatient.close();
  }

  /** @param running what takes the one place */
  private void openAiLibraryComesBack(String running) throws Exception {
    OpenAIClient patient = openai(20);
    try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      int before = refusals("/v1/chat/completions");
      Future<ChatCompletion> answer =
          other.submit(() -> patient.chat().completions().create(CHAT));
      awaitRefusals("/v1/chat/completions", before + 1);
      assertEquals(202, post("/v1/research/" + running + "/cancel", "").statusCode());
      String report = answer.get().choices().getFirst().message().content().orElseThrow();
      assertTrue(report.contains("The moon raises the tides of the sea."), report);
    } finally {
      patient.close();
    }
  }

  @Test
  void every_door_says_when_to_come_back_and_clients_that_do_are_served() throws Exception {
    Running server = server();
    try (McpSyncClient host =
        McpClient.sync(
                HttpClientStreamableHttpTransport.builder(base.toString()).endpoint("/mcp")
                    .build())
            .build()) {
      host.initialize();
      String first =
          JSON.readTree(post("/v1/research", "{\"question\":\"Slow?\"}").body())
              .get("id").asText();
      nativeAndOpenAiDoorsRefuse();
      CallToolResult full = start(host);
      assertTrue(full.isError(), text(full));
      assertTrue(text(full).endsWith("Call it again in 1 s."), text(full));
      openAiLibraryComesBack(first);
      assertEquals(2, JSON.readTree(get("/v1/research")).get("episodes").size());
      CallToolResult begun = start(host);
      assertFalse(begun.isError(), text(begun));
    } finally {
      server.kill();
    }
  }
}
