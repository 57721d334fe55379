package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.server.EdgeRig.problem;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.EpisodeId;

/** How a request is written: what means the same, and what cannot be meant. */
class RequestFormTest {
  @AutoClose private static final EdgeRig rig = new EdgeRig();

  private static HttpResponse<String> sent(String path, String type, String body)
      throws Exception {
    return rig.client.send(
        HttpRequest.newBuilder(rig.uri(path)).header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json", "application/json; charset=UTF-8", "application/json;charset=\"utf-8\"",
        "application/json; charset=utf8", "application/json; charset=us-ascii",
        "application/merge+json", "application/json; profile=x"
      })
  void json_is_read_in_utf8_with_or_without_its_mark(String type) throws Exception {
    for (String mark : List.of("", "\uFEFF")) {
      HttpResponse<String> answer = sent("/v1/research", type, mark + "{\"question\":\"Flüsse\"}");
      assertEquals(202, answer.statusCode(), answer.body());
      assertEquals("Flüsse", EdgeRig.json(answer).get("question").asText());
    }
    problem(400, "malformed-json", sent("/v1/research", type, "\uFEFF\uFEFF{}"));
    problem(400, "malformed-json", sent("/v1/research", type, "\uFEFF"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; charset=utf-16", "application/json;charset=ISO-8859-1",
        "application/json; charset=nonsense", "application/merge+json; charset=utf-16"
      })
  void json_in_another_charset_is_refused_and_not_read_as_something_else(String type)
      throws Exception {
    JsonNode problem =
        problem(
            415, "unsupported-media-type", sent("/v1/research", type, "{\"question\":\"a\"}"));
    assertTrue(problem.get("detail").asText().contains("UTF-8"), problem.toString());
    assertEquals(415, sent("/v1/responses", type, "{\"input\":\"a\"}").statusCode());
    assertEquals(415, sent("/mcp", type, "{}").statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/research?limt=5        | limt is not known here. Known: cursor, limit, q, status.",
        "/v1/research/ID?x=         | x is not known here. This path takes no parameters",
        "/v1/research/ID/events?from=1 | from is not known here. Known: after, progress.",
        "/v1/research/ID/report?form=pdf | form is not known here. Known: format.",
        "/v1/runs?page=2            | page is not known here. Known: cursor, limit.",
        "/v1/bank/a?query=a&n=3     | n is not known here. Known: k, query.",
        "/v1/research?%0d%0aa=1     | One of the parameters is not known here.",
        "/v1/research?limit=1&limit=2 | limit may be given once.",
        "/v1/research?q=a&q=a       | q may be given once.",
        "/v1/research/ID/events?after=1&after=2 | after may be given once.",
        "/v1/bank/a?query=a&query=b | query may be given once.",
      })
  void a_parameter_that_cannot_be_meant_is_named(String path, String said) throws Exception {
    String id = rig.started("a");
    rig.world.complete(new EpisodeId(id));
    JsonNode problem = problem(400, "invalid-parameter", rig.get(path.replace("ID", id)));
    assertTrue(problem.get("detail").asText().startsWith(said), problem.toString());
  }

  @Test
  void other_doors_let_parameters_pass_that_they_do_not_know_and_take_none_twice()
      throws Exception {
    assertEquals(200, rig.get("/v1/models?limit=20").statusCode());
    assertEquals(200, rig.get("/health/alive?t=1").statusCode());
    assertEquals(200, rig.get("/research/history?q=a&q=b").statusCode());
    rig.world.afterStart = rig.world::complete;
    String id = EdgeRig.json(rig.post("/v1/responses", "{\"input\":\"a\"}")).get("id").asText();
    rig.world.afterStart = started -> {};
    String one = "/v1/responses/" + id;
    assertEquals(200, rig.get(one + "?include%5B%5D=a&include%5B%5D=b").statusCode());
    HttpResponse<String> twice = rig.get(one + "?stream=true&stream=false");
    assertEquals(400, twice.statusCode(), twice.body());
    assertEquals("invalid_parameter", EdgeRig.json(twice).at("/error/code").asText());
  }

  private static String keyed(String key, String body) throws Exception {
    HttpResponse<String> answer = rig.post("/v1/research", body, "Idempotency-Key", key);
    assertEquals(202, answer.statusCode(), answer.body());
    return EdgeRig.json(answer).get("id").asText();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"format\":\"long_form\"", "\"guidance\":\"auto\"", "\"policy\":\"extractive\"",
        "\"sources\":[\"corpus\"]", "\"sources\":[\"corpus\",\"corpus\"]", "\"metadata\":{}",
        "\"limits\":{}", "\"limits\":null", "\"format\":null,\"policy\":null",
        "\"limits\":{\"tool_calls\":10,\"seconds\":600,\"tokens\":1000000,\"cost_usd\":0.0}",
        "\"limits\":{\"seconds\":null,\"tool_calls\":10}",
      })
  void a_default_that_is_written_out_makes_no_other_request(String fields) throws Exception {
    String bare = "{\"question\":\"a\"}";
    String written = "{\"question\":\"a\"," + fields + "}";
    String id = keyed("first bare " + fields, bare);
    assertEquals(id, keyed("first bare " + fields, written));
    String other = keyed("first written " + fields, written);
    assertNotEquals(id, other);
    assertEquals(other, keyed("first written " + fields, bare));
    assertEquals(other, keyed("first written " + fields, written));
    String another = "{\"question\":\"a\",\"format\":\"short_form\"}";
    problem(
        422, "key-reused",
        rig.post("/v1/research", another, "Idempotency-Key", "first bare " + fields));
  }

  @Test
  void keys_of_older_programs_mean_their_episodes_still() throws Exception {
    String old = "{\"format\":\"short_form\",\"question\":\"a\"}";
    EpisodeId id = new EpisodeId(rig.started("of old"));
    String digest =
        EpisodeStarting.sha256(
            rubricem.http.server.research.ResearchBody.fixedForm(EdgeRig.JSON.readTree(old)));
    rig.world.claim("research:" + EpisodeStarting.sha256("old"), digest, id);
    assertEquals(id.value(), keyed("old", old));
    assertEquals(
        id.value(),
        keyed("old", "{\"format\":\"short_form\",\"question\":\"a\",\"guidance\":\"auto\"}"));
    problem(
        422, "key-reused",
        rig.post("/v1/research", "{\"question\":\"a\"}", "Idempotency-Key", "old"));
  }

  @Test
  void the_same_holds_for_openai_clients() throws Exception {
    rig.world.afterStart = rig.world::complete;
    int before = rig.world.count();
    for (String fields :
        List.of(
            "", ",\"stream\":null", ",\"background\":false,\"store\":true",
            ",\"model\":\"rubricem\",\"stream\":false")) {
      HttpResponse<String> answer =
          rig.post(
              "/v1/responses", "{\"input\":\"defaults\"" + fields + "}", "Idempotency-Key", "r");
      assertEquals(200, answer.statusCode(), answer.body());
    }
    assertEquals(before + 1, rig.world.count());
    rig.world.afterStart = started -> {};
  }

  @Test
  void two_keys_mean_nothing() throws Exception {
    int before = rig.world.count();
    JsonNode problem =
        problem(
            400, "invalid-parameter",
            rig.post(
                "/v1/research", "{\"question\":\"a\"}", "Idempotency-Key", "a", "Idempotency-Key",
                "b"));
    assertEquals("Send the header Idempotency-Key once.", problem.get("detail").asText());
    HttpResponse<String> openai =
        rig.post(
            "/v1/responses", "{\"input\":\"a\"}", "Idempotency-Key", "a", "Idempotency-Key", "a");
    assertEquals(400, openai.statusCode(), openai.body());
    assertEquals(before, rig.world.count());
  }

  @Test
  void a_list_shows_the_beginning_of_a_long_question_and_finds_its_end() throws Exception {
    String start = "𝒳".repeat(500);
    String cut = rig.started(start + " giraffe");
    String whole = rig.started("𝒳".repeat(492) + " giraffe");
    JsonNode found = EdgeRig.json(rig.get("/v1/research?q=giraffe")).get("episodes");
    assertEquals(2, found.size());
    assertEquals(cut, found.get(1).get("id").asText());
    assertEquals(start, found.get(1).get("question").asText());
    assertTrue(found.get(1).get("question_cut").asBoolean());
    assertEquals(whole, found.get(0).get("id").asText());
    assertTrue(found.get(0).get("question").asText().endsWith(" giraffe"));
    assertFalse(found.get(0).get("question_cut").asBoolean());
    assertEquals(
        start + " giraffe",
        EdgeRig.json(rig.get("/v1/research/" + cut)).get("question").asText());
  }
}
