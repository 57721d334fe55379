package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import rubricem.http.server.research.ResearchDoor;

/** A rehearsal is nobody's request: not stored, not counted, and gone when it is over. */
class RehearsalTest {
  @Test
  void asks_and_submits_and_leaves_no_trace() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      Edge beside = rig.beside(Rehearsal.settings(rig.edge.settings()));
      beside.readiness().ready();
      play(rig, beside, 4);
      String played = beside.metrics().text();
      assertTrue(
          played.contains(counted("GET", 200, 2)),
          played);
      assertTrue(
          played.contains(counted("POST", 400, 2)),
          played);
      assertEquals(0, rig.world.count());
      String own = rig.edge.metrics().text();
      assertFalse(own.contains("route=\"/v1/research\""), own);
    }
  }

  @Test
  void goes_wrong_without_a_word_to_anybody() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      // the port is taken by the server itself
      Edge beside = rig.beside(rig.edge.settings().at("127.0.0.1", rig.port()));
      play(rig, beside, 4);
      assertEquals(200, rig.get("/health/alive").statusCode());
    }
  }

  private static String counted(String method, int status, int times) {
    return "rubricem_http_requests_total{method=\"" + method
        + "\",route=\"/v1/research\",status=\"" + status + "\"} " + times;
  }

  private static void play(EdgeRig rig, Edge beside, int requests) throws Exception {
    Rehearsal.play(
            rig.system(), beside, List.of(new ResearchDoor(beside)), requests,
            Thread::startVirtualThread)
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }
}
