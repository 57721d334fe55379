package rubricem.http.server.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.PlayedEpisode;

/** The protocol over lines. */
class McpLinesTest {
  @Test
  void every_request_gets_one_line_also_behind_lines_that_are_none() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
      List<String> out = new CopyOnWriteArrayList<>();
      String lines =
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\nno json\n[]\n{}\n"
              + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\r\n"
              + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"
              + "\"start_research\",\"arguments\":{\"question\":\"a\\nb\"}}}\n"
              + "x".repeat(2_000_000) + "\n"
              + "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}";
      new McpLines(rig.edge, EdgeRig.MCP, () -> null)
          .run(new BufferedReader(new StringReader(lines)), out::add);
      assertEquals(7, out.size(), out.toString());
      int errors = 0;
      for (String line : out) {
        assertTrue(line.indexOf('\n') < 0, line);
        JsonNode answer = EdgeRig.JSON.readTree(line);
        errors += answer.has("error") ? 1 : 0;
      }
      assertEquals(4, errors, out.toString());
      assertEquals(1, rig.world.count());
      String tooLong = out.stream().filter(l -> l.contains("too long")).findFirst().orElse("");
      assertTrue(tooLong.contains("1048576 characters"), out.toString());
      assertFalse(tooLong.contains("not JSON"), tooLong);
      assertTrue(out.toString().contains("The line is not JSON at line 1, column "));
    }
  }

  private static List<JsonNode> said(EdgeRig rig, String... lines) throws Exception {
    List<JsonNode> out = new CopyOnWriteArrayList<>();
    for (String line : lines) {
      new McpLines(rig.edge, EdgeRig.MCP, () -> null)
          .run(
              new BufferedReader(new StringReader(line)),
              said -> {
                try {
                  out.add(EdgeRig.JSON.readTree(said));
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
    }
    return out;
  }

  @Test
  void an_unknown_id_is_explained_in_terms_of_tools() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      for (String id : List.of("e" + "0".repeat(26), "x")) {
        for (String tool : List.of("get_research", "cancel_research")) {
          String text =
              said(
                      rig,
                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                          + "\"name\":\"" + tool + "\",\"arguments\":{\"id\":\"" + id + "\"}}}")
                  .getFirst().at("/result/content/0/text").asText();
          assertTrue(text.contains("start_research"), text);
          assertFalse(text.contains("/v1/") || text.contains("GET"), text);
        }
      }
    }
  }

  @Test
  void a_cursor_that_no_page_gave_is_refused_by_every_list() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      for (String list :
          List.of("resources/list", "resources/templates/list", "tools/list", "prompts/list")) {
        String ask = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + list + "\",\"params\":{";
        JsonNode cursor = said(rig, ask + "\"cursor\":\"x\"}}").getFirst();
        assertEquals(-32602, cursor.at("/error/code").asInt(), cursor.toString());
        assertTrue(cursor.at("/error/message").asText().contains("nextCursor"), cursor.toString());
        JsonNode first = said(rig, ask + "}}").getFirst();
        assertTrue(first.has("result"), first.toString());
      }
    }
  }

  @Test
  void a_start_that_is_repeated_behind_the_end_says_that_it_has_ended() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      String start =
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
              + "\"start_research\",\"arguments\":{\"question\":\"a\"}}}";
      rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
      List<JsonNode> out = said(rig, start, start);
      String again = out.getLast().at("/result/content/0/text").asText();
      assertTrue(again.contains(" has ended: it is completed."), out.toString());
      assertFalse(again.contains("until"), again);
    }
  }

  @Test
  void a_client_of_the_next_revision_is_told_nothing_of_it_and_falls_back() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      List<JsonNode> out =
          said(
              rig,
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{"
                  + "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
              "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{"
                  + "\"protocolVersion\":\"2026-07-28\",\"capabilities\":{},"
                  + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
      assertEquals(-32601, out.get(0).at("/error/code").asInt(), out.toString());
      assertEquals("2025-11-25", out.get(1).at("/result/protocolVersion").asText());
    }
  }
}
