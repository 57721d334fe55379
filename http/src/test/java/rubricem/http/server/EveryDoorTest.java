package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.EdgeRig.problem;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.protocol.EpisodeId;

/** What holds for all that comes in, whichever door it wants: hosts, origins, paths, health. */
class EveryDoorTest {
  @AutoClose private static final EdgeRig rig = new EdgeRig();

  @Test
  void a_stranger_who_has_no_business_here_gets_nothing() throws Exception {
    for (String origin : List.of("https://evil.example", "null", "http://127.0.0.1:1",
        "http://127.0.0.1:" + rig.port() + ".evil.example")) {
      problem(
          403, "foreign-origin",
          rig.post("/v1/research", "{\"question\":\"a\"}", "Origin", origin));
    }
    HttpResponse<String> own =
        rig.post(
            "/v1/research", "{\"question\":\"a\"}", "Origin", "http://127.0.0.1:" + rig.port());
    assertEquals(202, own.statusCode(), own.body());
    HttpResponse<String> listed =
        rig.post("/v1/research", "{\"question\":\"a\"}", "Origin", "https://pages.example");
    assertEquals(202, listed.statusCode(), listed.body());
    assertEquals(
        "https://pages.example",
        listed.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
    assertTrue(own.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
    String exposed =
        listed.headers().firstValue("Access-Control-Expose-Headers").orElse("");
    for (String ours : List.of("X-Rubricem-Episode", "X-Rubricem-Unused", "Retry-After")) {
      assertTrue(exposed.contains(ours), exposed);
    }
    HttpResponse<String> preflight =
        rig.client.send(
            HttpRequest.newBuilder(rig.uri("/v1/research"))
                .header("Origin", "https://pages.example")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
    assertTrue(
        preflight.headers().firstValue("Access-Control-Allow-Headers").orElse("")
            .contains("Idempotency-Key"));
  }

  @Test
  void a_path_that_is_not_there_is_not_there_for_any_method() throws Exception {
    problem(404, "no-such-path", rig.post("/v1/nothing", "{}"));
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example, 403", "127.0.0.1.evil.example, 403", "192.0.2.1, 403", "localhost, 200",
    "LOCALHOST:1234, 200", "[::1]:80, 200", "lab.example, 200", "lab.example., 200"
  })
  void a_name_that_is_not_ours_is_refused(String host, int status) throws Exception {
    String answer = RawHttp.ask(rig.port(), "GET /health/alive HTTP/1.1\r\nHost: " + host
        + "\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
  }

  @Test
  void what_never_becomes_a_request_is_a_problem_too() throws Exception {
    String host = "Host: localhost\r\nConnection: close\r\n";
    rawProblem("GET / HTTP/1.1\r\n" + host + "X: " + "a".repeat(9_000) + "\r\n\r\n", 431);
    rawProblem("GET /" + "a".repeat(5_000) + " HTTP/1.1\r\n" + host + "\r\n", 414);
    rawProblem("GET /%zz HTTP/1.1\r\n" + host + "\r\n", 400);
    rawProblem("BREW / HTTP/1.1\r\n" + host + "\r\n", 405);
    rawProblem("GET / HTTP/1.1\r\n" + host + "Content-Length: x\r\n\r\n", 400);
    rawProblem("GET / HTTP/1.1\r\n" + host + "X:a\r\n".repeat(100) + "\r\n", 400);
  }

  private static void rawProblem(String request, int status) throws Exception {
    String answer = RawHttp.ask(rig.port(), request);
    assertTrue(answer.startsWith("HTTP/1.1 " + status), request.substring(0, 20) + answer);
    assertTrue(answer.contains("application/problem+json"), answer);
    assertTrue(answer.contains("urn:rubricem:problem:"), answer);
  }

  @Test
  void health_tells_alive_from_ready() throws Exception {
    try (EdgeRig starting = new EdgeRig()) {
      starting.edge.readiness().notReady("The documents are being read.");
      assertEquals(200, starting.get("/health/alive").statusCode());
      problem(503, "not-ready", starting.get("/health/ready"));
      problem(503, "not-ready", starting.post("/v1/research", "{\"question\":\"a\"}"));
      starting.edge.readiness().ready();
      assertEquals(200, starting.get("/health/ready").statusCode());
    }
  }

  @Test
  void metrics_count_what_happens() throws Exception {
    try (EdgeRig counted = new EdgeRig()) {
      String id =
          EdgeRig.json(counted.post("/v1/research", "{\"question\":\"a\"}")).get("id").asText();
      counted.world.complete(new EpisodeId(id));
      counted.get("/v1/research/" + id);
      String text = counted.get("/metrics").body();
      assertTrue(text.contains("# HELP rubricem_http_requests_total "), text);
      assertTrue(text.contains("# TYPE rubricem_http_request_seconds histogram"), text);
      assertTrue(
          text.contains(
              "rubricem_http_requests_total{method=\"GET\",route=\"/v1/research/{id}\","
                  + "status=\"200\"} 1\n"),
          text);
      assertTrue(text.contains("rubricem_episodes_ended_total{outcome=\"no_evidence\"} 1\n"), text);
      assertTrue(text.contains("rubricem_episodes_active 0\n"), text);
    }
  }

  @Test
  void the_page_is_served_with_what_keeps_it_safe() throws Exception {
    HttpResponse<String> page = rig.get("/");
    assertEquals(200, page.statusCode());
    assertEquals(
        "text/html; charset=UTF-8", page.headers().firstValue("Content-Type").orElse(""));
    assertTrue(
        page.headers().firstValue("Content-Security-Policy").orElse("")
            .startsWith("default-src 'none'"));
    String tag = page.headers().firstValue("ETag").orElseThrow();
    assertEquals(304, rig.get("/", "If-None-Match", tag).statusCode());
    String id = rig.started("a page of its own");
    rig.world.search(new EpisodeId(id), 1, "text", "");
    for (String there :
        List.of("/research/" + id, "/research/" + id + "/", "/research/" + id + "/source/S_1",
            "/research/history", "/research/history/")) {
      HttpResponse<String> view = rig.get(there);
      assertEquals(200, view.statusCode(), there);
      assertEquals(page.body(), view.body());
    }
    for (String lost :
        List.of("/research/nope", "/research/" + rig.world.nextId(),
            "/research/" + id + "/source/S_9", "/research/" + id + "/nothing", "/research/%00",
            "/nowhere", "/research/", "/research")) {
      HttpResponse<String> view =
          rig.get(lost, "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
      assertEquals(404, view.statusCode(), lost);
      assertEquals(page.body(), view.body(), lost);
      assertTrue(view.headers().firstValue("ETag").isEmpty());
      assertTrue(view.headers().firstValue("Content-Security-Policy").isPresent());
    }
    // programs, and pages that look for a file or an interface, get a problem
    problem(404, "no-such-path", rig.get("/nowhere"));
    problem(404, "no-such-path", rig.get("/js/none.js", "Accept", "text/html"));
    problem(404, "no-such-path", rig.get("/v1/none", "Accept", "text/html"));
    assertEquals(page.body(), rig.get("/index.html").body());
  }
}
