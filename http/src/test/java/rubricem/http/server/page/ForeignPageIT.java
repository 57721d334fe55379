package rubricem.http.server.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.EdgeSettings;

/** A page of another site in a real browser: it calls what its origin was let to, and only then. */
@ExtendWith(ChromiumPresent.class)
@Timeout(120)
class ForeignPageIT {
  private static final String CALL = """
      async ({ address, method, body, headers }) => {
        try {
          const answer = await fetch(address, {
            method, body: body || undefined,
            headers: { "Content-Type": "application/json", ...headers },
          });
          const retry = answer.headers.get("Retry-After") ?? "-";
          return `${answer.status} ${retry} ${await answer.text()}`;
        } catch (fault) {
          return `${fault.name}`;
        }
      }""";

  /** What OpenAI's SDK sends of its own from a browser. */
  private static final Map<String, String> OF_THE_SDK =
      Map.of(
          "Authorization", "Bearer none", "X-Stainless-Lang", "js", "X-Stainless-OS", "Unknown",
          "X-Stainless-Package-Version", "5.0.0", "X-Stainless-Retry-Count", "0",
          "X-Stainless-Runtime", "browser:chrome", "X-Stainless-Timeout", "600");

  @Test
  void a_configured_origin_may_send_what_its_sdk_sends_and_delete() throws Exception {
    HttpServer site = site();
    String origin = "http://127.0.0.1:" + site.getAddress().getPort();
    try (EdgeRig edge = new EdgeRig(settings(List.of(origin)), EdgeRig::doors);
        BrowserRig browser = new BrowserRig()) {
      Page page = browser.desktop(origin + "/");
      assertTrue(
          call(page, edge, "GET", "/v1/models", "", OF_THE_SDK).startsWith("200 "));
      String begun =
          call(page, edge, "POST", "/v1/responses",
              "{\"model\":\"no-such-model\",\"input\":\"a\",\"background\":true}", OF_THE_SDK);
      assertTrue(begun.startsWith("404 "), begun);
      String gone = call(page, edge, "DELETE", "/v1/responses/resp_none", "", OF_THE_SDK);
      assertTrue(gone.startsWith("404 "), gone);
      browser.closePages();
    } finally {
      site.stop(0);
    }
  }

  @Test
  void another_origin_reads_nothing() throws Exception {
    HttpServer site = site();
    String origin = "http://127.0.0.1:" + site.getAddress().getPort();
    try (EdgeRig edge = new EdgeRig(settings(List.of()), EdgeRig::doors);
        BrowserRig browser = new BrowserRig()) {
      Page page = browser.desktop(origin + "/");
      assertEquals("TypeError", call(page, edge, "GET", "/v1/models", "", Map.of()));
      assertEquals(
          "TypeError",
          call(page, edge, "POST", "/v1/research", "{\"question\":\"a\"}", Map.of()));
      assertEquals(List.of(), EdgeRig.json(edge.get("/v1/research")).findValuesAsText("id"));
      browser.takeFaults();
    } finally {
      site.stop(0);
    }
  }

  private static String call(
      Page page, EdgeRig edge, String method, String path, String body,
      Map<String, String> headers) {
    return (String) page.evaluate(
        CALL,
        Map.of(
            "address", edge.uri(path).toString(), "method", method, "body", body, "headers",
            headers));
  }

  private static EdgeSettings settings(List<String> origins) {
    EdgeSettings base = EdgeRig.settings(8, Duration.ofSeconds(10));
    return new EdgeSettings(
        base.host(), base.port(), base.hosts(), origins, base.bodyBytesMax(), base.bodyPatience(),
        base.connections(), base.activeMax(), base.retryAfter(), base.heartbeat(),
        base.eventsAtOnce(), base.stopPatience());
  }

  private static HttpServer site() throws IOException {
    HttpServer site =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    site.createContext("/", exchange -> {
      byte[] page = "<!doctype html><title>Elsewhere</title>".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html");
      exchange.sendResponseHeaders(200, page.length);
      exchange.getResponseBody().write(page);
      exchange.close();
    });
    site.start();
    return site;
  }
}
