package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.app.node.StageCredit;
import rubricem.gpu.verify.StepRerun;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.verify.StoredBatch.Crediting;
import rubricem.protocol.learning.Credit;
import rubricem.testkit.Shared;

/** Which credit a stored step is trained with, and that no setting about it is ignored in silence. */
class TrainStepCreditTest {
  private static final Path BATCH = Shared.golden("ssgrpo.json");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path scratch;

  private Told told(String words) {
    return Told.by(
        Arrays.stream(words.split(" "))
            .map(w -> w.startsWith("@") ? scratch.resolve(w.substring(1)).toString() : w)
            .toArray(String[]::new));
  }

  private Told step(String file, String more) {
    return told(
        "train-step " + file + " --quiet --model " + Shared.golden("qwen3-tied")
            + (more.isEmpty() ? "" : " " + more));
  }

  private void config(String text) throws IOException {
    Files.writeString(scratch.resolve("my.conf"), text);
  }

  private StoredBatch.Contents read(Path file) throws IOException {
    return StoredBatch.read(file, new StageCredit(Credit.PAPER));
  }

  /** The handed rollouts, one a line, each with advantages and scores. */
  private List<ObjectNode> lines() throws IOException {
    Path stored = scratch.resolve("stored.jsonl");
    StoredBatch.write(stored, read(BATCH).rollouts());
    List<JsonNode> scores = new ArrayList<>();
    Shared.goldenJson("ssgrpo.json").get("groups").forEach(
        g -> g.get("rollouts").forEach(r -> scores.add(r.get("stage_scores"))));
    List<ObjectNode> out = new ArrayList<>();
    for (String line : Files.readAllLines(stored)) {
      ObjectNode node = (ObjectNode) JSON.readTree(line);
      node.set("stage_scores", scores.get(out.size()));
      out.add(node);
    }
    return out;
  }

  private void write(List<ObjectNode> lines) throws IOException {
    Files.write(
        scratch.resolve("batch.jsonl"), lines.stream().map(ObjectNode::toString).toList());
  }

  @Test
  void a_line_with_advantages_and_scores_is_refused_with_what_to_remove() throws IOException {
    List<ObjectNode> lines = lines();
    lines.forEach(line -> line.remove("stage_scores"));
    lines.get(4).putArray("stage_scores").add(1).add(1).add(1).add(1);
    write(lines);
    Told told = step("@batch.jsonl", "");
    assertEquals(Failure.USAGE, told.code(), told.err());
    assertTrue(
        told.err().contains("line 5: there are both advantages and stage_scores"), told.err());
    assertTrue(told.err().contains("remove one of them"), told.err());
  }

  @Test
  void lines_of_the_one_kind_and_of_the_other_are_no_batch() throws IOException {
    List<ObjectNode> lines = lines();
    lines.get(0).remove("stage_scores");
    lines.subList(1, lines.size()).forEach(line -> line.remove("advantages"));
    write(lines);
    String said = step("@batch.jsonl", "").err();
    assertTrue(
        said.contains("line 2: there is stage_scores, and line 1 has advantages"), said);
  }

  @Test
  void credit_that_was_asked_for_over_scores_that_nobody_reads_is_refused() throws IOException {
    config("rubricem.learner.credit { mode = TERMINAL, floor = 1e-3 }");
    Told told = step(BATCH.toString(), "--config @my.conf");
    assertEquals(Failure.USAGE, told.code(), told.err());
    assertTrue(told.err().contains("rubricem.learner.credit.floor, rubricem.learner.credit.mode"));
    assertTrue(told.err().contains("Remove advantages from every rollout"), told.err());
    assertTrue(told.err().contains("or stage_scores"), told.err());
  }

  @Test
  void a_document_of_scores_alone_is_credited_like_lines_of_them() throws IOException {
    ObjectNode document = (ObjectNode) Shared.goldenJson("ssgrpo.json").deepCopy();
    document.get("groups").forEach(
        g -> g.get("rollouts").forEach(r -> ((ObjectNode) r).remove("advantages")));
    Path file = scratch.resolve("scores.json");
    JSON.writeValue(file.toFile(), document);
    StoredBatch.Contents credited = read(file);
    assertEquals(Crediting.FROM_SCORES, credited.crediting());
    StoredBatch.Contents handed = read(BATCH);
    assertEquals(Crediting.GIVEN_BESIDE_SCORES, handed.crediting());
    for (int i = 0; i < handed.rollouts().size(); i++) {
      assertArrayEquals(
          handed.rollouts().get(i).advantages(), credited.rollouts().get(i).advantages(), 1e-9);
    }
    config("rubricem.learner.credit.mode = TERMINAL");
    Told told = step("@scores.json", "--config @my.conf");
    assertEquals(0, told.code(), told.err());
  }

  @Test
  void settings_that_a_step_does_not_look_at_are_known() throws IOException {
    List<ObjectNode> lines = lines();
    lines.forEach(line -> line.remove("stage_scores"));
    write(lines);
    Config config =
        ConfigFactory.parseString(
                "rubricem.learner { credit.mode = TERMINAL, old-policy.updates-per-batch = 2,"
                    + " schedule.rate = 1e-4, kl.coefficient = 0, credit.epsilon = 1e-8,"
                    + " adapter.rank = 3 }")
            .withFallback(ConfigFactory.load());
    StoredBatch.Contents given = read(scratch.resolve("batch.jsonl"));
    assertEquals(
        List.of("credit.mode", "old-policy.updates-per-batch"),
        IdleSettings.in(config, TrainStepCommand.unread(given, false, false)).keys());
    assertEquals(
        List.of("adapter.rank", "credit.mode", "old-policy.updates-per-batch", "schedule.rate"),
        IdleSettings.in(config, TrainStepCommand.unread(read(BATCH), false, true)).keys());
    assertEquals(
        List.of("credit.mode", "kl.coefficient", "old-policy.updates-per-batch", "schedule.rate"),
        IdleSettings.in(config, SftCommand.IDLE).keys());
    assertTrue(IdleSettings.in(ConfigFactory.load(), SftCommand.IDLE).isEmpty());
  }

  @Test
  void settings_of_what_was_not_chosen_are_known() {
    String keys =
        "rubricem.learner { loss.divisor = 7, objective.gspo.low = 0.1, objective.cispo.high = 5,"
            + " objective.clipped.low = 0.1, sampler-correction.token-cap = 3,"
            + " sampler-correction.masked.low = 0.4, off-policy-masking.mean-log-ratio = 0.2,"
            + " sequence-rejection.low = 0.9, adapter.alpha = 8, adapter.targets = [q_proj]";
    assertEquals(
        List.of(
            "adapter.alpha", "adapter.targets", "loss.divisor", "objective.cispo.high",
            "objective.gspo.low", "off-policy-masking.mean-log-ratio",
            "sampler-correction.masked.low", "sampler-correction.token-cap",
            "sequence-rejection.low"),
        unchosen(keys + "}"));
    assertEquals(
        List.of("objective.cispo.high", "objective.clipped.low", "sampler-correction.masked.low"),
        unchosen(
            keys + ", loss.aggregation = CONSTANT_DIVISOR, objective.kind = GSPO, adapter.rank = 2,"
                + " sampler-correction.kind = TOKEN_TRUNCATED, off-policy-masking.kind = ABOVE,"
                + " sequence-rejection.statistic = SEQUENCE }"));
  }

  private static List<String> unchosen(String text) {
    Config config = ConfigFactory.parseString(text).withFallback(ConfigFactory.load());
    return IdleSettings.in(config, IdleSettings.unchosen(config)).keys();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "stage_scores|[0.5, 1.5, 0, 1]|stage_scores holds 1.5, and a score is from 0 to 1",
        "stage_scores|[-0.1, 0.5, 0, 1]|stage_scores holds -0.1",
        "id|\"rollout-0\"|the id \"rollout-0\" is that of line 1",
      })
  void a_value_that_no_rollout_has_is_refused_with_its_line(
      String key, String value, String problem) throws IOException {
    List<ObjectNode> lines = lines();
    lines.forEach(line -> line.remove("advantages"));
    lines.get(2).set(key, JSON.readTree(value));
    assertLine3(lines, problem);
  }

  @Test
  void a_probability_above_one_is_refused_where_it_is_read() throws IOException {
    List<ObjectNode> lines = lines();
    lines.forEach(line -> line.remove("advantages"));
    int sampled = 0;
    while (lines.get(2).get("stage").get(sampled).asInt() == 0) {
      sampled++;
    }
    ArrayNode given = (ArrayNode) lines.get(2).get("sampler_logprobs");
    given.set(sampled, JSON.readTree("0.5"));
    assertLine3(lines, "sampler_logprobs holds 0.5 at token " + sampled);
  }

  private void assertLine3(List<ObjectNode> lines, String problem) throws IOException {
    write(lines);
    Told told = step("@batch.jsonl", "");
    assertEquals(Failure.USAGE, told.code(), told.err());
    assertTrue(told.err().contains("batch.jsonl: line 3: " + problem), told.err());
  }

  @Test
  void the_report_says_where_the_advantages_come_from() throws IOException {
    StepRerun.Result result =
        StepRerun.run(TrainStepTest.request(read(BATCH).rollouts(), Optional.empty()), () -> 0,
            () -> false);
    for (Crediting crediting : Crediting.values()) {
      TrainStepReport report =
          new TrainStepReport(
              result, crediting, false, Optional.empty(), Shared.golden("qwen3-tied"));
      boolean scores = crediting == Crediting.FROM_SCORES;
      assertEquals(
          scores ? "from_stage_scores" : "as_given", report.json().get("advantages").asText());
      assertEquals(scores, report.text().startsWith("Advantages: from its stage_scores"));
      assertEquals(
          crediting == Crediting.GIVEN_BESIDE_SCORES, report.text().contains("had no effect"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "policy_version, '\"4\"', policy_version is no whole number",
    "policy_version, 1.5, policy_version is no whole number",
    "truncated, '\"yes\"', truncated is neither true nor false",
    "truncated, 1, truncated is neither true nor false"
  })
  void a_value_of_the_wrong_kind_is_no_zero(String key, String value, String problem)
      throws IOException {
    List<ObjectNode> lines = lines();
    lines.forEach(line -> line.remove("advantages"));
    lines.get(2).set(key, JSON.readTree(value));
    write(lines);
    Told told = step("@batch.jsonl", "");
    assertEquals(Failure.USAGE, told.code(), told.err());
    assertTrue(told.err().contains("line 3: " + problem), told.err());
  }

  @Test
  void a_number_that_is_none_is_to_be_written_null() throws IOException {
    List<ObjectNode> lines = lines();
    lines.forEach(line -> line.remove("advantages"));
    write(lines);
    Path file = scratch.resolve("batch.jsonl");
    Files.writeString(
        file, Files.readString(file).replaceFirst("\"stage_scores\":\\[", "\"stage_scores\":[NaN,"));
    String said = step("@batch.jsonl", "").err();
    assertTrue(said.contains("line 1 is no valid JSON: a number that is none is written null"), said);
  }

  @Test
  void where_the_step_computes_is_the_configurations_where_no_option_says() throws IOException {
    config("rubricem.learner.device.name = \"cuda:0\"");
    Told told = step(BATCH.toString(), "--config @my.conf");
    assertEquals(Failure.USAGE, told.code(), told.err());
    assertTrue(told.err().contains("The device cuda:0 is not there"), told.err());
    assertEquals(0, step(BATCH.toString(), "--config @my.conf --device cpu").code());
  }
}
