package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bodies that nobody reads to their end. */
class LargeBodyTest {
  private static final String LARGE = "a".repeat(2_000_000);

  @Test
  void a_client_is_told_that_its_connection_ends_with_a_body_that_was_too_large()
      throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      for (String path : new String[] {"/v1/research", "/v1/responses", "/v1/nothing"}) {
        HttpResponse<String> refused = rig.post(path, LARGE);
        assertEquals(413, refused.statusCode(), path);
        assertEquals(
            Optional.of("close"), refused.headers().firstValue("Connection"), path);
      }
    }
  }

  @Test
  void what_is_asked_behind_a_refused_body_is_answered() throws Exception {
    try (EdgeRig rig = new EdgeRig()) {
      for (int i = 0; i < 100; i++) {
        assertEquals(413, rig.post("/v1/research", LARGE).statusCode());
        assertEquals(405, rig.post("/v1/models", "b".repeat(200_000)).statusCode());
        assertEquals(404, rig.post("/v1/nothing", "{}").statusCode());
      }
    }
  }
}
