package rubricem.http.server.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.PlayedEpisode;
import rubricem.protocol.EpisodeId;

/** The SDK's own client against the door. */
class McpClientTest {
  private EdgeRig rig;
  private McpSyncClient client;

  @BeforeEach
  void start() throws Exception {
    rig = new EdgeRig();
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
    client = connected();
  }

  private McpSyncClient connected() {
    return connected(rig);
  }

  private static McpSyncClient connected(EdgeRig rig) {
    McpSyncClient made =
        McpClient.sync(
                HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + rig.port())
                    .endpoint("/mcp").build())
            .build();
    made.initialize();
    return made;
  }

  @AfterEach
  void stop() {
    client.close();
    rig.close();
  }

  private CallToolResult call(String tool, Map<String, Object> arguments) {
    return call(client, tool, arguments);
  }

  private static CallToolResult call(
      McpSyncClient client, String tool, Map<String, Object> arguments) {
    return client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
  }

  private static Map<?, ?> fields(CallToolResult result) {
    return (Map<?, ?>) result.structuredContent();
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().getFirst()).text();
  }

  private String started(Map<String, Object> arguments) {
    return started(client, arguments);
  }

  private static String started(McpSyncClient client, Map<String, Object> arguments) {
    CallToolResult result = call(client, "start_research", arguments);
    assertFalse(result.isError(), text(result));
    return fields(result).get("id").toString();
  }

  @Test
  void offers_four_tools_three_templates_and_a_prompt() {
    assertEquals(
        List.of("cancel_research", "get_research", "search_corpus", "start_research"),
        client.listTools().tools().stream().map(t -> t.name()).sorted().toList());
    assertEquals(3, client.listResourceTemplates().resourceTemplates().size());
    assertEquals("research", client.listPrompts().prompts().getFirst().name());
    assertEquals("rubricem", client.getServerInfo().name());
    client.ping();
  }

  @Test
  void a_report_is_given_page_by_page_and_as_a_resource() {
    String id = started(Map.of("question", "tides?"));
    StringBuilder report = new StringBuilder();
    Integer offset = 0;
    while (offset != null) {
      CallToolResult page =
          call("get_research", Map.of("id", id, "offset", offset, "wait_seconds", 1));
      assertFalse(page.isError(), text(page));
      assertEquals("answered", fields(page).get("outcome"));
      report.append(fields(page).get("report"));
      assertEquals(fields(page).get("report"), text(page));
      assertTrue(page.content().getLast() instanceof ResourceLink);
      offset = (Integer) fields(page).get("next_offset");
    }
    assertTrue(report.toString().contains(PlayedEpisode.CLAIM), report.toString());
    var resource = client.listResources().resources().getFirst();
    assertEquals("research://" + id + "/report", resource.uri());
    assertEquals("tides?", resource.name());
    assertEquals(report.toString(), read(resource.uri()));
    assertEquals(PlayedEpisode.CLAIM, read("research://" + id + "/sources/S_1"));
    assertTrue(read("research://" + id).contains("\"citation_check\""));
    assertThrows(McpError.class, () -> read("research://" + id + "/sources/S_9"));
    assertThrows(McpError.class, () -> read("research://" + rig.world.nextId() + "/report"));
  }

  private String read(String uri) {
    return ((TextResourceContents)
            client.readResource(ReadResourceRequest.builder(uri).build()).contents().getFirst())
        .text();
  }

  @Test
  void an_equal_start_finds_its_episode_and_a_new_key_begins_anew() {
    String id = started(Map.of("question", "a", "format", "short_form"));
    assertEquals(id, started(Map.of("format", "short_form", "question", "a")));
    assertNotEquals(id, started(Map.of("question", "a")));
    String keyed = started(Map.of("question", "a", "format", "short_form", "request_key", "k"));
    assertNotEquals(id, keyed);
    try (McpSyncClient other = connected()) {
      assertNotEquals(id, started(other, Map.of("question", "a", "format", "short_form")));
      assertEquals(
          keyed,
          started(other, Map.of("question", "a", "format", "short_form", "request_key", "k")));
    }
    assertEquals(4, rig.world.count());
  }

  @Test
  void what_failed_is_an_error_and_is_begun_anew() {
    rig.world.afterStart = id -> PlayedEpisode.fail(rig.world, id);
    String id = started(Map.of("question", "a"));
    CallToolResult failed = call("get_research", Map.of("id", id));
    assertTrue(failed.isError());
    assertTrue(text(failed).contains("The model was away."), text(failed));
    assertFalse(fields(failed).containsKey("report"));
    assertNotEquals(id, started(Map.of("question", "a")));
  }

  @Test
  void waiting_ends_in_time_and_cancelling_ends_the_episode() {
    rig.world.afterStart = id -> PlayedEpisode.search(rig.world, id);
    String id = started(Map.of("question", "a"));
    CallToolResult running = call("get_research", Map.of("id", id, "wait_seconds", 1));
    assertEquals("running", fields(running).get("status"));
    assertEquals(2, fields(running).get("passages"));
    CallToolResult cancelled = call("cancel_research", Map.of("id", id));
    assertEquals("cancelled", fields(cancelled).get("status"));
    assertTrue(call("get_research", Map.of("id", id)).isError());
    assertEquals(0, rig.edge.readers().count());
  }

  @Test
  void a_wait_hears_of_the_end_at_once() {
    rig.world.afterStart = id -> PlayedEpisode.search(rig.world, id);
    String id = started(Map.of("question", "a"));
    Thread.startVirtualThread(
        () -> {
          rubricem.http.server.MemoryWorld.waitFor(
              () -> rig.edge.readers().count() == 1, "somebody waits");
          PlayedEpisode.answer(rig.world, new EpisodeId(id), "Nothing.");
        });
    assertEquals(
        "completed", fields(call("get_research", Map.of("id", id))).get("status"));
  }

  @Test
  void finds_passages_and_says_when_there_are_none() {
    CallToolResult found = call("search_corpus", Map.of("query", "tides", "limit", 3));
    assertTrue(text(found).contains("The moon raises the tides of the sea."), text(found));
    assertEquals(1, ((List<?>) fields(found).get("passages")).size());
    assertTrue(text(call("search_corpus", Map.of("query", "x"))).contains("Nothing was found"));
  }

  @Test
  void wrong_arguments_are_error_results_that_name_the_field() {
    Map<String, Map<String, Object>> wrong =
        new TreeMap<>(
            Map.of(
                "start_research", Map.of("question", 3),
                "get_research", Map.of("id", "e" + "1".repeat(26), "wait_seconds", 99),
                "cancel_research", Map.of(),
                "search_corpus", Map.of("query", "a", "limit", 1_000)));
    List<String> named = List.of("/id", "/wait_seconds", "/limit", "/question");
    wrong.forEach(
        (tool, arguments) -> {
          CallToolResult result = call(tool, arguments);
          assertTrue(result.isError(), tool);
          assertTrue(named.stream().anyMatch(text(result)::contains), text(result));
        });
    McpError unknown = assertThrows(McpError.class, () -> call("nothing", Map.of()));
    assertEquals(-32602, unknown.getJsonRpcError().code());
    assertTrue(
        unknown.getMessage().contains(
            "start_research, get_research, cancel_research, search_corpus"),
        unknown.getMessage());
  }

  @Test
  void faults_of_arguments_are_told_in_words_of_arguments() {
    int max = 32_768;
    Map<Map<String, Object>, String> said =
        Map.of(
            Map.of(), "/query is missing.",
            Map.of("query", " "), "/query must have 1 to " + max + " characters.",
            Map.of("query", "𝒳".repeat(max + 1)), "/query must have 1 to " + max + " characters.",
            Map.of("query", 3), "/query must be a string.",
            Map.of("query", "a", "k", 1),
            "The arguments have the field k, which is not known. Known: document, limit, query.",
            Map.of("query", "a", "k \n", 1),
            "The arguments have a field that is not known. Known: document, limit, query.");
    said.forEach(
        (arguments, words) -> {
          CallToolResult result = call("search_corpus", arguments);
          assertTrue(result.isError());
          assertTrue(text(result).endsWith(words), text(result));
          assertFalse(text(result).contains("body"), text(result));
        });
    assertFalse(call("search_corpus", Map.of("query", "𝒳".repeat(max))).isError());
    Tool search =
        client.listTools().tools().stream()
            .filter(tool -> tool.name().equals("search_corpus")).findFirst().orElseThrow();
    Map<?, ?> query =
        (Map<?, ?>) ((Map<?, ?>) search.inputSchema().get("properties")).get("query");
    assertEquals(max, query.get("maxLength"));
    for (String tool : List.of("start_research", "get_research", "cancel_research")) {
      assertFalse(text(call(tool, Map.of("x", 1))).contains("body"), tool);
    }
  }

  @Test
  void an_unknown_argument_is_told_exactly_what_the_schema_offers() throws Exception {
    Map<String, Object> wrong = Map.of("question", "a", "depth", 3);
    assertTrue(text(call("start_research", wrong)).contains("policy"));
    try (EdgeRig one = rig(List.of("extractive"));
        McpSyncClient other = connected(one)) {
      for (Map<String, Object> given :
          List.of(wrong, Map.<String, Object>of("question", "a", "policy", "extractive"))) {
        CallToolResult refused = call(other, "start_research", given);
        assertTrue(refused.isError());
        String known = text(refused).substring(text(refused).indexOf("Known:"));
        assertEquals(
            "Known: format, max_seconds, max_tool_calls, question, request_key.", known);
      }
      assertEquals(
          Set.of("format", "max_seconds", "max_tool_calls", "question", "request_key"),
          ((Map<?, ?>) start(other).inputSchema().get("properties")).keySet());
    }
  }

  private static Tool start(McpSyncClient client) {
    return client.listTools().tools().stream()
        .filter(tool -> tool.name().equals("start_research")).findFirst().orElseThrow();
  }

  private static EdgeRig rig(List<String> policies) throws Exception {
    return new EdgeRig(
        EdgeRig.settings(2_000, Duration.ofSeconds(15)), EdgeRig::doors, List.of("/docs"),
        policies);
  }

  @Test
  void a_first_call_waits_until_the_documents_are_read() throws Exception {
    rig.edge.readiness().notReady("The documents are being read. Ask again in a moment.");
    Map<String, Object> asked = Map.of("question", "a", "request_key", "k");
    try (ExecutorService hosts = Executors.newVirtualThreadPerTaskExecutor()) {
      // the same call again means the same episode, also before there is one
      List<Future<CallToolResult>> begun =
          List.of(
              hosts.submit(() -> call("start_research", asked)),
              hosts.submit(() -> call("start_research", asked)));
      Future<CallToolResult> found =
          hosts.submit(() -> call("search_corpus", Map.of("query", "tides")));
      assertThrows(
          TimeoutException.class, () -> begun.getFirst().get(500, TimeUnit.MILLISECONDS));
      assertFalse(begun.getLast().isDone());
      assertFalse(found.isDone());
      rig.edge.readiness().ready();
      assertFalse(begun.getFirst().get().isError(), text(begun.getFirst().get()));
      assertEquals(
          fields(begun.getFirst().get()).get("id"), fields(begun.getLast().get()).get("id"));
      assertFalse(found.get().isError(), text(found.get()));
    }
    assertEquals(1, rig.world.count());
  }

  @Test
  void a_wait_that_is_too_long_and_a_refusal_for_good_are_told() {
    rig.edge.readiness().notReady("The documents are being read.");
    CallToolResult late = call("start_research", Map.of("question", "a"));
    assertTrue(late.isError());
    assertTrue(text(late).contains("being read. Call it again in 2 s."), text(late));
    assertEquals(
        Map.of("kind", "not_ready", "retry_after_seconds", 2), fields(late).get("error"));
    rig.edge.readiness().refuse("No document that can be read was found.");
    long before = System.nanoTime();
    CallToolResult never = call("start_research", Map.of("question", "a"));
    assertTrue(never.isError());
    assertTrue(text(never).endsWith("No document that can be read was found."), text(never));
    assertEquals(Map.of("kind", "not_ready"), fields(never).get("error"));
    assertTrue(call("search_corpus", Map.of("query", "tides")).isError());
    assertTrue(System.nanoTime() - before < EdgeRig.MCP.waitMax().toNanos());
    assertEquals(0, rig.world.count());
  }
}
