package rubricem.http.server.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import rubricem.http.server.EdgeRig;

/** What the door makes of requests that no client of the SDK would send. */
class McpDoorTest {
  private static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
          + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
          + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

  @AutoClose private final EdgeRig rig = new EdgeRig();

  @Test
  void a_client_of_the_next_revision_meets_a_plain_400_and_falls_back() throws Exception {
    String meta =
        "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";
    for (String method : List.of("server/discover", "tools/list")) {
      HttpResponse<String> probe =
          rig.post(
              "/mcp",
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + meta
                  + "}",
              "Accept", "application/json, text/event-stream", "MCP-Protocol-Version",
              "2026-07-28", "Mcp-Method", method);
      assertEquals(400, probe.statusCode(), probe.body());
      int code = EdgeRig.json(probe).at("/error/code").asInt();
      // an error of the new revision would say that it is spoken here, and keep the client at it
      assertEquals(-32600, code, probe.body());
    }
    HttpResponse<String> begun =
        rig.post("/mcp", INITIALIZE.replace("2025-11-25", "2026-07-28"));
    assertEquals(200, begun.statusCode(), begun.body());
    String version = EdgeRig.json(begun).at("/result/protocolVersion").asText();
    assertEquals("2025-11-25", version);
    HttpResponse<String> tools =
        rig.post(
            "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
            "Mcp-Session-Id", begun.headers().firstValue("Mcp-Session-Id").orElseThrow(),
            "MCP-Protocol-Version", version);
    assertEquals(4, EdgeRig.json(tools).at("/result/tools").size(), tools.body());
  }

  @Test
  void the_door_itself_keeps_to_the_protocol() throws Exception {
    HttpResponse<String> begun = rig.post("/mcp", INITIALIZE);
    String session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
    assertNotEquals(
        session, rig.post("/mcp", INITIALIZE).headers().firstValue("Mcp-Session-Id").get());
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}";
    assertEquals(200, rig.post("/mcp", ping, "Mcp-Session-Id", session).statusCode());
    assertEquals(404, rig.post("/mcp", ping, "Mcp-Session-Id", "invented").statusCode());
    assertEquals(400, rig.post("/mcp", ping, "MCP-Protocol-Version", "1999-01-01").statusCode());
    for (String accept : List.of("text/html", "application/json", "text/event-stream")) {
      HttpResponse<String> one = rig.post("/mcp", ping, "Accept", accept);
      assertEquals(406, one.statusCode(), accept);
      assertTrue(one.body().contains("Accept: application/json, text/event-stream"), one.body());
    }
    for (String accept : List.of("*/*", "text/event-stream;q=0.5, application/*")) {
      assertEquals(200, rig.post("/mcp", ping, "Accept", accept).statusCode(), accept);
    }
    assertEquals(400, rig.post("/mcp", "[" + ping + "]").statusCode());
    HttpResponse<String> broken = rig.post("/mcp", "{");
    assertEquals(400, broken.statusCode());
    assertEquals(-32700, EdgeRig.json(broken).at("/error/code").asInt());
    String note = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    HttpResponse<String> taken = rig.post("/mcp", note);
    assertEquals(202, taken.statusCode());
    assertEquals("", taken.body());
    assertEquals(405, rig.get("/mcp").statusCode());
    assertEquals(
        -32601,
        EdgeRig.json(rig.post("/mcp", ping.replace("ping", "x/y"))).at("/error/code").asInt());
    assertEquals(
        -32602,
        EdgeRig.json(rig.post("/mcp", ping.replace("ping", "initialize")))
            .at("/error/code").asInt());
    HttpResponse<String> foreign = rig.post("/mcp", ping, "Origin", "http://evil.example");
    assertEquals(403, foreign.statusCode());
  }
}
