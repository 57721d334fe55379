package rubricem.http.server.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.http.server.EdgeRig;
import rubricem.persistence.run.RunFolders;
import rubricem.protocol.run.RubricBanks;

/** Runs over HTTP, from folders as a trainer leaves them. */
class RunApiTest {
  @TempDir Path scratch;

  private Path runs;
  private EdgeRig rig;
  private final AtomicReference<String> asked = new AtomicReference<>();

  @BeforeEach
  void start() throws Exception {
    runs = Files.createDirectories(scratch.resolve("runs"));
    RubricBanks banks =
        (run, query, k) -> {
          asked.set(run + " " + query + " " + k);
          return CompletableFuture.completedStage(
              run.value().equals("banked")
                  ? Optional.of(
                      List.of(
                          new RubricBanks.Entry(
                              "ab", "q", "r", "t", 0.5, 0.25,
                              new RubricBanks.Provenance(3, "v2", "e1", 1))))
                  : Optional.empty());
        };
    rig =
        new EdgeRig(
            EdgeRig.settings(10, Duration.ofSeconds(15)),
            edge -> List.of(new RunDoor(edge, new RunFolders(runs, Runnable::run), banks)));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private Path run(String name, int steps) throws Exception {
    Path run = Files.createDirectories(runs.resolve(name));
    Files.writeString(run.resolve("config.conf"), "rubricem { seed = 1 }");
    StringBuilder lines = new StringBuilder();
    for (int step = 1; step <= steps; step++) {
      lines.append("{\"step\":").append(step).append(",\"loss\":0.5,\"seconds\":{\"idle\":1}}\n");
    }
    Files.writeString(run.resolve("metrics.jsonl"), lines);
    return run;
  }

  private static void checkpoint(Path run, String name, String manifest) throws Exception {
    Path folder = Files.createDirectories(run.resolve("checkpoints").resolve(name));
    if (!manifest.isEmpty()) {
      Files.writeString(folder.resolve("manifest.json"), manifest);
    }
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> response = rig.get(path);
    assertEquals(200, response.statusCode(), response.body());
    return EdgeRig.json(response);
  }

  private void problem(int status, String type, String path) throws Exception {
    HttpResponse<String> response = rig.get(path);
    assertEquals(status, response.statusCode(), path + response.body());
    assertEquals(
        "urn:rubricem:problem:" + type, EdgeRig.json(response).get("type").asText(), path);
  }

  @Test
  void without_any_run_the_list_is_empty() throws Exception {
    assertTrue(get("/v1/runs").get("runs").isEmpty());
    Files.delete(runs);
    assertTrue(get("/v1/runs").get("runs").isEmpty());
    problem(404, "no-run", "/v1/runs/a");
  }

  @Test
  void pages_give_every_run_once_newest_first() throws Exception {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Path config = run("r" + i, i).resolve("config.conf");
      Files.setLastModifiedTime(
          config, FileTime.from(Instant.parse("2020-01-01T00:00:00Z").plusSeconds(i / 2)));
      made.add("r" + i);
    }
    Files.writeString(runs.resolve("a-file"), "no run");
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = get("/v1/runs?limit=2" + cursor);
      page.get("runs").forEach(r -> seen.add(r.get("name").asText()));
      JsonNode next = page.get("next_cursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asText();
    } while (!cursor.isEmpty());
    assertEquals(List.of("r6", "r4", "r5", "r2", "r3", "r0", "r1"), seen);
    JsonNode rows = get("/v1/runs").get("runs");
    assertTrue(rows.get(5).get("step").isNull(), rows.toString());
    assertTrue(rows.get(5).get("last_metrics").isNull());
    assertEquals(6, rows.get(0).get("step").asInt());
    assertEquals(0.5, rows.get(0).at("/last_metrics/loss").asDouble());
    assertEquals("2020-01-01T00:00:03Z", rows.get(0).get("created_at").asText());
    assertTrue(
        Instant.parse(rows.get(0).get("updated_at").asText())
            .isAfter(Instant.parse("2025-01-01T00:00:00Z")));
    for (String wrong : List.of("limit=0", "limit=201", "cursor=x", "cursor=MTo5OmE6L2I")) {
      problem(400, "invalid-parameter", "/v1/runs?" + wrong);
    }
  }

  @Test
  void metrics_come_page_by_page_without_what_is_half_written() throws Exception {
    Path metrics = run("a", 250).resolve("metrics.jsonl");
    Files.writeString(metrics, "no json\n{\"loss\":1}\n[1]\n", StandardOpenOption.APPEND);
    Files.writeString(
        metrics, "{\"step\":\"x\"}\n" + "y".repeat(200_000) + "\n", StandardOpenOption.APPEND);
    Files.writeString(metrics, "{\"step\":251,\"loss\":9}\n", StandardOpenOption.APPEND);
    // complete as JSON, but its line has no end: the trainer may be in the middle of a number
    Files.writeString(metrics, "{\"step\":252,\"loss\":1}", StandardOpenOption.APPEND);
    List<Integer> steps = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = get("/v1/runs/a?limit=100" + after);
      assertTrue(page.get("metrics").size() <= 100);
      page.get("metrics").forEach(m -> steps.add(m.get("step").asInt()));
      assertEquals(251, page.get("step").asInt());
      assertEquals(9, page.at("/last_metrics/loss").asInt());
      assertEquals(5, page.get("unreadable_lines").asInt());
      JsonNode next = page.get("next_after_step");
      after = next.isNull() ? "" : "&after_step=" + next.asText();
    } while (!after.isEmpty());
    assertEquals(java.util.stream.IntStream.rangeClosed(1, 251).boxed().toList(), steps);
    assertEquals(1, get("/v1/runs/a?after_step=250").get("metrics").size());
    assertTrue(get("/v1/runs/a?after_step=251").get("metrics").isEmpty());
    for (String wrong : List.of("after_step=-1", "after_step=x", "limit=0", "limit=501")) {
      problem(400, "invalid-parameter", "/v1/runs/a?" + wrong);
    }
  }

  @Test
  void a_step_written_again_after_a_resume_counts_once_as_written_last() throws Exception {
    Path metrics = run("a", 5).resolve("metrics.jsonl");
    Files.writeString(
        metrics, "{\"step\":4,\"loss\":7}\n{\"step\":5,\"loss\":8}\n",
        StandardOpenOption.APPEND);
    JsonNode shown = get("/v1/runs/a?after_step=2&limit=2");
    assertEquals(
        "[{\"step\":3,\"loss\":0.5,\"seconds\":{\"idle\":1}},{\"step\":4,\"loss\":7}]",
        shown.get("metrics").toString());
    assertEquals(4, shown.get("next_after_step").asInt());
  }

  @Test
  void a_checkpoint_is_one_once_its_manifest_is_there() throws Exception {
    Path run = run("a", 3);
    checkpoint(run, "step-000010", "{\"step\":10,\"policy_version\":4}");
    checkpoint(run, "step-000020", "{\"step\":20,\"policy_version\":\"v5\"}");
    checkpoint(run, "step-000030", "");
    checkpoint(run, "step-000040", "{\"step\":40");
    checkpoint(run, "step-000050", "{\"step\":5}");
    checkpoint(run, "step-000060.tmp", "{\"step\":60}");
    Path elsewhere = Files.createDirectories(scratch.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("manifest.json"), "{\"step\":70}");
    Files.createSymbolicLink(run.resolve("checkpoints").resolve("step-000070"), elsewhere);
    JsonNode shown = get("/v1/runs/a");
    List<String> found = new ArrayList<>();
    shown.get("checkpoints").forEach(
        c -> found.add(c.get("step").asInt() + " " + c.get("policy_version").asText()));
    assertEquals(List.of("20 v5", "10 4"), found);
    assertEquals(2, shown.get("checkpoint_count").asInt());
    assertEquals(2, get("/v1/runs").at("/runs/0/checkpoint_count").asInt());
    Instant.parse(shown.at("/checkpoints/0/created_at").asText());
  }

  @Test
  void no_name_leads_out_of_the_folder() throws Exception {
    Path secret = Files.createDirectories(scratch.resolve("secret"));
    Files.writeString(secret.resolve("config.conf"), "hidden = yes");
    Files.createSymbolicLink(runs.resolve("linked"), secret);
    Path run = run("a", 1);
    Files.delete(run.resolve("config.conf"));
    Files.createSymbolicLink(run.resolve("config.conf"), secret.resolve("config.conf"));
    for (String name :
        List.of("..%2Fsecret", "%2e%2e%2Fsecret", "..", "%2e%2e", "a%2F..%2F..%2Fsecret", "linked",
            "%00", "a%00", ".", "a%5C..", "a".repeat(101), "%C3%A9", "none")) {
      for (String path : List.of("/v1/runs/" + name, "/v1/bank/" + name + "?query=a")) {
        HttpResponse<String> response = rig.get(path);
        assertEquals(404, response.statusCode(), path + response.body());
        assertFalse(response.body().contains("hidden"), response.body());
      }
    }
    assertTrue(get("/v1/runs/a").get("config").isNull());
    assertEquals(1, get("/v1/runs").get("runs").size());
  }

  @Test
  void a_configuration_shows_no_secret() throws Exception {
    Path run = run("a", 1);
    Files.writeString(
        run.resolve("config.conf"),
        """
        # the key is SECRET-1
        include file("%s")
        rubricem { seed = 7, max-tokens = 4096, tokens = [1, 2], tokenizer = "bpe"
          openai { api-key = SECRET-2, base = "https://u:SECRET-3@host/v1?key=SECRET-4&a=b" }
          database { password = SECRET-5, url = "jdbc:x://h/d?user=SECRET-6&password=SECRET-7" }
          keys { a = SECRET-8 }, token = [SECRET-9]
          header = "Bearer SECRET-10", free = "sk-SECRET-1111111"
        }
        """.formatted(scratch.resolve("other.conf")));
    Files.writeString(scratch.resolve("other.conf"), "from-elsewhere = SECRET-11");
    String config = get("/v1/runs/a").get("config").asText();
    assertFalse(config.contains("SECRET"), config);
    assertFalse(config.contains("elsewhere"), config);
    for (String kept : List.of("seed=7", "max-tokens=4096", "bpe", "https://", "@host/v1", "a=b")) {
      assertTrue(config.contains(kept), config);
    }
    Files.writeString(run.resolve("config.conf"), "a { b = SECRET");
    assertTrue(get("/v1/runs/a").get("config").isNull());
    Files.writeString(run.resolve("config.conf"), "{".repeat(900_000));
    assertTrue(get("/v1/runs/a").get("config").isNull());
  }

  @Test
  void a_bank_is_looked_up_or_said_to_be_none() throws Exception {
    run("banked", 1);
    run("plain", 1);
    JsonNode found = get("/v1/bank/banked?query=why%20%C3%BC&k=3");
    assertEquals("banked why ü 3", asked.get());
    assertEquals("banked", found.get("run").asText());
    assertEquals(
        EdgeRig.JSON.valueToTree(
            Map.of("step", 3, "policy_version", "v2", "trajectory", "e1", "format_version", 1)),
        found.at("/entries/0/provenance"));
    assertEquals(0.25, found.at("/entries/0/score").asDouble());
    get("/v1/bank/banked?query=a");
    assertEquals("banked a 10", asked.get());
    problem(404, "no-bank", "/v1/bank/plain?query=a");
    problem(404, "no-run", "/v1/bank/none?query=a");
    for (String wrong :
        List.of("", "query=", "query=%20", "query=%00", "query=" + "a".repeat(1_001),
            "query=a&k=0", "query=a&k=101", "query=a&k=x")) {
      problem(400, "invalid-parameter", "/v1/bank/banked?" + wrong);
    }
  }
}
