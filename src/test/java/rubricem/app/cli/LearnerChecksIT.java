package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Shared;

/** What the commands that look at the learner print, and their exit codes. */
class LearnerChecksIT {
  @TempDir Path scratch;

  @Test
  void a_line_for_each_comparison_and_a_code_that_says_whether_all_is_well() throws Exception {
    Path folder = Files.createDirectory(scratch.resolve("numbers"));
    Files.copy(Shared.golden("kl.json"), folder.resolve("kl.json"));
    Program program = Program.in(scratch);
    Ended good = program.run("verify-learner", folder.toString(), "--json");
    assertEquals(0, good.code(), good.err());
    for (String line : good.out().lines().toList()) {
      JsonNode check = new ObjectMapper().readTree(line);
      assertEquals("kl", check.get("case").asText());
      assertTrue(check.get("ok").asBoolean());
      assertTrue(check.get("deviation").asDouble() <= check.get("tolerance").asDouble());
    }
    String text = Files.readString(folder.resolve("kl.json"));
    Files.writeString(folder.resolve("kl.json"), text.replaceFirst("0\\.2748", "0.2749"));
    Ended bad = program.run("verify-learner", folder.toString());
    assertEquals(Failure.WORK_FAILED, bad.code(), bad.err());
    assertTrue(bad.out().contains("FAILED kl"), bad.out());
    assertTrue(bad.out().contains("not within their tolerances"), bad.out());
  }

  @Test
  void L51_a_step_run_twice_prints_the_same_and_shows_its_tokens() throws Exception {
    String[] args = {
      "train-step", Shared.golden("ssgrpo.json").toString(), "--model",
      Shared.golden("qwen3-tied").toString(), "--gradients", "--show", "rollout-3", "--json"
    };
    Program program = Program.in(scratch);
    Ended first = program.run(args);
    assertEquals(0, first.code(), first.err());
    assertEquals(first.out(), program.run(args).out());
    JsonNode step = new ObjectMapper().readTree(first.out());
    assertEquals(35, step.get("grad_norms").size());
    assertEquals("rollout-3", step.get("rollout").get("id").asText());
    JsonNode token = step.get("rollout").get("response").get(0);
    double ratio = Math.exp(token.get("logprob").asDouble() - token.get("old_logprob").asDouble());
    assertEquals(ratio, token.get("ratio").asDouble(), 1e-12);
  }

  @Test
  void settings_without_effect_are_named_on_standard_error() throws Exception {
    String batch = Files.readString(Shared.golden("ssgrpo.json")).replace("stage_scores", "marks");
    Files.writeString(scratch.resolve("given.json"), batch);
    Files.writeString(
        scratch.resolve("my.conf"),
        "rubricem.learner { credit.mode = TERMINAL, schedule.rate = 1, supervised.batch = 2 }");
    Program program = Program.in(scratch);
    Ended step =
        program.run(
            "train-step", "given.json", "--model", Shared.golden("qwen3-tied").toString(),
            "--config", "my.conf", "--quiet", "--json");
    assertEquals(0, step.code(), step.err());
    assertEquals(
        "These settings have no effect here: rubricem.learner.credit.mode,"
            + " rubricem.learner.schedule.rate, rubricem.learner.supervised.batch.",
        step.err().strip());
    assertEquals("as_given", new ObjectMapper().readTree(step.out()).get("advantages").asText());
    Files.writeString(
        scratch.resolve("data.jsonl"), "{\"ids\": [1, 2, 3], \"mask\": [0, 1, 1]}\n");
    Ended sft =
        program.run(
            "sft", "--data", "data.jsonl", "--model", Shared.golden("qwen3-tied").toString(),
            "--out", "run", "--steps", "1", "--config", "my.conf", "--quiet");
    assertEquals(0, sft.code(), sft.err());
    assertTrue(
        sft.err().startsWith(
            "These settings have no effect here: rubricem.learner.credit.mode,"
                + " rubricem.learner.schedule.rate. "),
        sft.err());
    assertTrue(sft.err().contains("rubricem.learner.supervised.schedule"), sft.err());
  }

  @Test
  void what_export_script_wrote_is_named_on_standard_output() throws Exception {
    Ended ended = Program.in(scratch).run("export-script", "scripts", "--json", "--quiet");
    assertEquals(0, ended.code(), ended.err());
    JsonNode written = new ObjectMapper().readTree(ended.out());
    assertEquals(scratch.resolve("scripts").toString(), written.get("folder").asText());
    for (JsonNode file : written.get("files")) {
      assertTrue(Files.exists(scratch.resolve("scripts").resolve(file.asText())), file.asText());
    }
    try (var files = Files.list(scratch.resolve("scripts"))) {
      assertEquals(files.count(), written.get("files").size());
    }
  }
}
