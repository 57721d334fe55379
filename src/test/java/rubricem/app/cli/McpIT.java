package rubricem.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;

/** {@code mcp} as a process, as a host starts it. */
class McpIT {
  private static final Path JAR = Path.of("target", "rubricem.jar").toAbsolutePath();

  @TempDir Path scratch;

  private Path documents() throws IOException {
    Path corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.writeString(corpus.resolve("tides.txt"), "The moon raises the tides of the sea.");
    return corpus;
  }

  private McpSyncClient host(Path corpus) {
    ServerParameters server =
        ServerParameters.builder(System.getProperty("java.home") + "/bin/java")
            .args(
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx400m",
                "-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", "-cp",
                JAR + File.pathSeparator + JAR.resolveSibling("lib") + "/*", "rubricem.app.Main",
                "mcp", "--corpus", corpus.toString(), "--data-dir",
                scratch.resolve("data").toString())
            .build();
    McpSyncClient client =
        McpClient.sync(
                new StdioClientTransport(server, new JacksonMcpJsonMapper(new ObjectMapper())))
            .requestTimeout(Duration.ofSeconds(30)).initializationTimeout(Duration.ofSeconds(60))
            .build();
    client.initialize();
    return client;
  }

  private static CallToolResult call(
      McpSyncClient client, String tool, Map<String, Object> arguments) {
    return client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().getFirst()).text();
  }

  private static String id(CallToolResult result) {
    return ((Map<?, ?>) result.structuredContent()).get("id").toString();
  }

  @Test
  void a_host_researches_and_a_key_outlives_the_process() throws Exception {
    Program.in(scratch);
    Path corpus = documents();
    Map<String, Object> asked =
        Map.of("question", "What raises the tides?", "request_key", "host-7");
    String id;
    try (McpSyncClient client = host(corpus)) {
      CallToolResult begun = call(client, "start_research", asked);
      assertFalse(begun.isError(), text(begun));
      id = id(begun);
      CallToolResult report = call(client, "get_research", Map.of("id", id));
      assertTrue(text(report).contains("The moon raises the tides of the sea. [1]"), text(report));
      CallToolResult found = call(client, "search_corpus", Map.of("query", "moon"));
      assertTrue(text(found).contains("tides.txt"), text(found));
      client.closeGracefully();
    }
    try (McpSyncClient client = host(corpus)) {
      assertEquals(id, id(call(client, "start_research", asked)));
      assertEquals(
          List.of("research://" + id + "/report"),
          client.listResources().resources().stream().map(r -> r.uri()).toList());
      client.closeGracefully();
    }
  }

  @Test
  void the_first_call_waits_for_a_folder_that_takes_long_to_read() throws Exception {
    Program.in(scratch);
    Path corpus = documents();
    String text = "Harbour pilots write down what they see of the water. ".repeat(400);
    for (int i = 0; i < 200; i++) {
      Files.writeString(corpus.resolve("log-" + i + ".txt"), "Log " + i + ".\n" + text);
    }
    try (McpSyncClient client = host(corpus)) {
      // vectors come later; a host that asks at once is asked for patience by nobody
      CallToolResult begun =
          call(client, "start_research", Map.of("question", "What raises the tides?"));
      assertFalse(begun.isError(), text(begun));
      call(client, "cancel_research", Map.of("id", id(begun)));
      client.closeGracefully();
    }
  }

  @Test
  void R42_a_host_with_nothing_readable_is_refused_at_once_and_for_good() throws Exception {
    Program.in(scratch);
    Path corpus = Files.createDirectories(scratch.resolve("docs"));
    Files.write(corpus.resolve("scan.pdf"), "%PDF-1.4 nothing of it".getBytes(UTF_8));
    try (McpSyncClient client = host(corpus)) {
      for (Map.Entry<String, String> tool :
          Map.of("start_research", "question", "search_corpus", "query").entrySet()) {
        CallToolResult refused = call(client, tool.getKey(), Map.of(tool.getValue(), "tides?"));
        assertTrue(refused.isError(), text(refused));
        assertTrue(text(refused).contains(OfferOptions.NOTHING_FOUND), text(refused));
        assertFalse(text(refused).contains("Call it again"), text(refused));
      }
      client.closeGracefully();
    }
  }

  @Test
  void standard_output_carries_nothing_but_the_protocol() throws Exception {
    String lines =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nnonsense\n"
            + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";
    Ended ended =
        Program.in(scratch)
            .fed(
                lines.getBytes(UTF_8), "mcp", "--corpus",
                documents().toString(), "--data-dir", scratch.resolve("data").toString());
    assertEquals(0, ended.code(), ended.err());
    List<String> out = ended.out().lines().toList();
    assertEquals(3, out.size(), ended.out());
    for (String line : out) {
      assertEquals("2.0", new ObjectMapper().readTree(line).get("jsonrpc").asText());
    }
  }
}
