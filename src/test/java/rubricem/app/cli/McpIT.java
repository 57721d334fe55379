package rubricem.app.cli;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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

  /** Documents are read beside the conversation; a host that is told so asks again. */
  private static CallToolResult started(McpSyncClient client, Map<String, Object> arguments) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    CallToolResult result = call(client, "start_research", arguments);
    while (result.isError() && text(result).contains("being read") && System.nanoTime() < until) {
      java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      result = call(client, "start_research", arguments);
    }
    assertFalse(result.isError(), text(result));
    return result;
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
      id = id(started(client, asked));
      CallToolResult report = call(client, "get_research", Map.of("id", id));
      assertTrue(text(report).contains("The moon raises the tides of the sea. [1]"), text(report));
      CallToolResult found = call(client, "search_corpus", Map.of("query", "moon"));
      assertTrue(text(found).contains("tides.txt"), text(found));
      client.closeGracefully();
    }
    try (McpSyncClient client = host(corpus)) {
      assertEquals(id, id(started(client, asked)));
      assertEquals(
          List.of("research://" + id + "/report"),
          client.listResources().resources().stream().map(r -> r.uri()).toList());
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
                lines.getBytes(StandardCharsets.UTF_8), "mcp", "--corpus",
                documents().toString(), "--data-dir", scratch.resolve("data").toString());
    assertEquals(0, ended.code(), ended.err());
    List<String> out = ended.out().lines().toList();
    assertEquals(3, out.size(), ended.out());
    for (String line : out) {
      assertEquals("2.0", new ObjectMapper().readTree(line).get("jsonrpc").asText());
    }
  }
}
