package rubricem.http.server.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
    }
  }
}
