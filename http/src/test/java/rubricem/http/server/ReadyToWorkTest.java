package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * what is said while questions cannot be taken, or only less well. Ready means that a question
 * would be taken; alive stays up whatever happens, and so does the page.
 */
class ReadyToWorkTest {
  private static final String ASKED = "{\"question\":\"a\"}";

  private static EdgeRig rig(List<String> corpus) throws Exception {
    return new EdgeRig(
        EdgeRig.settings(10, Duration.ofSeconds(15)), EdgeRig::doors, corpus);
  }

  /** Every door refuses with the same reason, none of them begins anything. */
  private static void refused(EdgeRig rig, int status, String type, String reason)
      throws Exception {
    HttpResponse<String> answer = rig.post("/v1/research", ASKED);
    assertEquals(status, answer.statusCode(), answer.body());
    JsonNode problem = EdgeRig.json(answer);
    assertEquals("urn:rubricem:problem:" + type, problem.get("type").asText());
    assertTrue(problem.get("detail").asText().contains(reason), answer.body());
    HttpResponse<String> response = rig.post("/v1/responses", "{\"input\":\"a\"}");
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(response.body().contains(reason), response.body());
    assertEquals(0, rig.world.count());
  }

  private static void notReady(EdgeRig rig, String reason) throws Exception {
    HttpResponse<String> ready = rig.get("/health/ready");
    assertEquals(503, ready.statusCode(), ready.body());
    assertTrue(EdgeRig.json(ready).get("detail").asText().contains(reason), ready.body());
  }

  private static void up(EdgeRig rig) throws Exception {
    for (String path : List.of("/health/alive", "/", "/offer.json", "/metrics", "/openapi.json")) {
      assertEquals(200, rig.get(path).statusCode(), path);
    }
    assertEquals(
        "corpus", EdgeRig.json(rig.get("/offer.json")).at("/sources/0").asText());
  }

  @Test
  void R44_while_documents_are_read_it_says_so_and_when_to_come_back() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      rig.edge.readiness().notReady("The documents are being read.");
      notReady(rig, "being read");
      assertEquals("2", rig.get("/health/ready").headers().firstValue("Retry-After").orElse(""));
      refused(rig, 503, "not-ready", "being read");
      up(rig);
      // what is stored can be looked at meanwhile
      assertEquals(200, rig.get("/v1/research").statusCode());
      rig.edge.readiness().ready();
      assertEquals(200, rig.get("/health/ready").statusCode());
      assertEquals(202, rig.post("/v1/research", ASKED).statusCode());
    }
  }

  @Test
  void R42_where_no_document_can_be_read_nobody_is_told_to_come_back() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      rig.edge.readiness().refuse("No document that can be read was found.");
      notReady(rig, "No document");
      assertTrue(rig.get("/health/ready").headers().firstValue("Retry-After").isEmpty());
      refused(rig, 503, "not-ready", "No document");
      up(rig);
    }
  }

  @Test
  void R44_once_it_stops_nothing_makes_it_ready() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      rig.edge.readiness().notReady("The documents are being read.");
      rig.edge.readiness().stop("It is stopping.");
      rig.edge.readiness().decided().toCompletableFuture().join();
      rig.edge.readiness().ready();
      notReady(rig, "It is stopping.");
    }
  }

  @Test
  void R44_without_an_embedding_model_it_works_by_words_and_says_so() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      assertFalse(EdgeRig.json(rig.get("/health/ready")).has("note"));
      rig.edge.readiness().limited("Documents are found by their words only.");
      HttpResponse<String> ready = rig.get("/health/ready");
      assertEquals(200, ready.statusCode());
      assertEquals(
          "Documents are found by their words only.",
          EdgeRig.json(ready).get("note").asText());
      assertEquals(202, rig.post("/v1/research", ASKED).statusCode());
      up(rig);
    }
  }

  @Test
  void R44_with_nothing_to_search_it_is_not_ready_for_questions() throws Exception {
    try (EdgeRig rig = rig(List.of())) {
      notReady(rig, "nothing to search");
      refused(rig, 422, "not-offered", "nothing to search");
      up(rig);
    }
  }

  @Test
  void R44_without_its_database_it_is_alive_and_not_ready_until_that_is_back() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      rig.world.gone = true;
      notReady(rig, "The database does not answer.");
      for (HttpResponse<String> failed :
          List.of(
              rig.post("/v1/research", ASKED),
              rig.post("/v1/research", ASKED, "Idempotency-Key", "k"),
              rig.get("/v1/research"), rig.post("/v1/responses", "{\"input\":\"a\"}"))) {
        assertEquals(503, failed.statusCode(), failed.body());
        assertTrue(failed.headers().firstValue("Retry-After").isPresent(), failed.body());
        assertTrue(failed.body().contains("database"), failed.body());
        assertFalse(failed.body().contains("secret"), failed.body());
      }
      up(rig);
      rig.world.gone = false;
      assertEquals(200, rig.get("/health/ready").statusCode());
      assertEquals(
          202, rig.post("/v1/research", ASKED, "Idempotency-Key", "k").statusCode());
    }
  }

  @Test
  void R44_trouble_below_is_told_and_nothing_is_begun_until_it_is_over() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      AtomicReference<String> trouble = new AtomicReference<>("No room is left on the disk.");
      rig.edge.readiness().watch(trouble::get);
      notReady(rig, "No room is left on the disk.");
      HttpResponse<String> refused = rig.post("/v1/research", ASKED);
      assertEquals(503, refused.statusCode(), refused.body());
      assertTrue(refused.headers().firstValue("Retry-After").isPresent());
      up(rig);
      trouble.set("");
      assertEquals(202, rig.post("/v1/research", ASKED).statusCode());
    }
  }

  @Test
  void a_question_that_may_search_nothing_is_refused() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      HttpResponse<String> refused =
          rig.post("/v1/research", "{\"question\":\"a\",\"sources\":[]}");
      assertEquals(422, refused.statusCode(), refused.body());
      assertTrue(refused.body().contains("/sources"), refused.body());
    }
  }

  @Test
  void a_figure_that_cannot_be_read_hides_no_other() throws Exception {
    try (EdgeRig rig = rig(List.of("/docs"))) {
      rig.edge.metrics().gauge("rubricem_broken", "Fails.", () -> {
        throw new IllegalStateException("no index");
      });
      rig.edge.metrics().gauge("rubricem_whole", "Does not.", () -> 7);
      HttpResponse<String> metrics = rig.get("/metrics");
      assertEquals(200, metrics.statusCode());
      assertTrue(metrics.body().contains("rubricem_whole 7"), metrics.body());
    }
  }
}
