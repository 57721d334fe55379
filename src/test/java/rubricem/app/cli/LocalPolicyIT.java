package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.gpu.TinyModel;
import rubricem.gpu.weights.QwenShape;
import rubricem.http.fake.FakeAnswer;
import rubricem.http.fake.FakeBehaviour;
import rubricem.http.fake.FakeModelServer;
import rubricem.http.fake.FakeScript;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Program.Running;
import rubricem.testkit.SmallTokenizer;

/**
 * Whole episodes by a model of this machine: one that writes rubbish, and one that {@code sft} has
 * taught an episode that another policy played.
 */
class LocalPolicyIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUESTION = "How often is the wick of the lamp trimmed?";

  private static final String PLAN_TURN =
      """
      <think>The notes may say it.</think>
      <structured_plan>
      <deep_analysis>One fact is asked.</deep_analysis>
      <rubric>- how often the wick is trimmed</rubric>
      <research_plan>Search for the wick.</research_plan>
      </structured_plan>
      <call_tool name="local_search">wick of the lamp trimmed</call_tool>""";

  private static final String RESEARCH_TURN =
      """
      <think>Another passage may say when.</think>
      <state_evaluation>Met by S_1; whether at night too is open.</state_evaluation>
      <call_tool name="local_search">lamp at night</call_tool>""";

  private static final String ANSWER_TURN =
      """
      <think>S_1 says it.</think>
      <state_evaluation>The rubric is met by S_1.</state_evaluation>
      <review>
      <rubric_review>Met by S_1.</rubric_review>
      <writing_plan>State the fact.</writing_plan>
      </review>
      <answer><cite id="S_1">The wick of the lamp is trimmed every four hours.</cite></answer>""";

  @TempDir Path scratch;
  private Program program;

  @BeforeEach
  void documents() throws IOException {
    program = Program.in(scratch);
    Path corpus = Files.createDirectories(scratch.resolve("corpus"));
    Files.writeString(
        corpus.resolve("notes.md"), "# Lamp\nThe wick of the lamp is trimmed every four hours.\n");
    Files.writeString(
        scratch.resolve("local.conf"),
        """
        rubricem.generation { temperature = 0, workers = 1, threads = 2 }
        rubricem.episode { max-tokens = 400 }
        """);
  }

  private String[] ask(String policy, String data) {
    return new String[] {
      "ask", QUESTION, "--corpus", "corpus", "--policy", policy, "--data-dir", data, "--config",
      "local.conf", "--json"
    };
  }

  private Path model(String tokenizerText, int merges) throws IOException {
    Path folder = Files.createDirectories(scratch.resolve("model"));
    int tokens = SmallTokenizer.write(scratch.resolve("tokenizer.json"), tokenizerText, merges);
    TinyModel.write(folder, QwenShape.of(tokens, 64, 2, 4, 2, 16, 176, true, 8192));
    Files.move(
        scratch.resolve("tokenizer.json"), folder.resolve("tokenizer.json"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(folder.resolve("generation_config.json"), "{\"eos_token_id\": 2}");
    return folder;
  }

  @Test
  void rubbish_ends_as_a_failure_that_is_told_and_no_report() throws Exception {
    model(QUESTION, 0);
    Files.writeString(
        scratch.resolve("local.conf"),
        "rubricem { generation.temperature = 1, episode.max-tokens = 60 }\n");
    Ended ended = program.run(ask("local:model", "data"));
    JsonNode episode = JSON.readTree(ended.out());
    assertEquals("failed", episode.get("status").asText(), ended.out());
    assertEquals(Failure.WORK_FAILED, ended.code(), ended.err());
    assertTrue(episode.get("answer").isNull(), ended.out());
    assertTrue(ended.err().contains("The episode failed ("), ended.err());
    assertTrue(episode.get("usage").get("model_calls").asInt() <= 8, ended.out());
  }

  @Test
  void a_model_that_sft_has_taught_an_episode_plays_it_to_a_supported_citation()
      throws Exception {
    ObjectNode taught = played();
    StringBuilder texts = new StringBuilder();
    taught.get("messages").forEach(m -> texts.append(m.get("content").asText()).append('\n'));
    model(texts.toString(), 1500);
    Files.writeString(scratch.resolve("episode.jsonl"), taught + "\n");
    Ended sft =
        program.run(
            "sft", "--data", "episode.jsonl", "--model", "model", "--out", "run", "--batch", "1",
            "--steps", "160", "--rate", "5e-3", "--json");
    assertEquals(0, sft.code(), sft.err());
    JsonNode summary = JSON.readTree(sft.out());
    assertTrue(summary.get("loss_last").asDouble() < 0.1, sft.out());
    Ended ended = program.run(ask("local:" + summary.get("checkpoint").asText(), "data"));
    assertEquals(0, ended.code(), ended.err() + ended.out());
    JsonNode episode = JSON.readTree(ended.out());
    assertEquals("completed", episode.get("status").asText());
    assertEquals("answered", episode.get("outcome").asText());
    assertEquals(3, episode.get("usage").get("model_calls").asInt());
    assertEquals(2, episode.get("usage").get("tool_calls").asInt());
    assertEquals(1, episode.get("citation_check").get("supported").asInt(), ended.out());
    assertFalse(episode.get("plan").isNull());
    assertFalse(episode.get("review").isNull());
    assertTrue(
        episode.get("answer").get("markdown").asText().contains("every four hours"), ended.out());
  }

  /** What a policy was shown and said in an episode that a scripted one played. */
  private ObjectNode played() throws Exception {
    FakeScript script =
        FakeScript.inOrder(
            new FakeBehaviour.Answer(FakeAnswer.text(PLAN_TURN)),
            new FakeBehaviour.Answer(FakeAnswer.text(RESEARCH_TURN)),
            new FakeBehaviour.Answer(FakeAnswer.text(ANSWER_TURN)));
    try (FakeModelServer server = FakeModelServer.start(0, script)) {
      Ended ended = program.run(ask("openai:" + server.baseUrl() + "#m", "played"));
      assertEquals(0, ended.code(), ended.err() + ended.out());
      ObjectNode record = JSON.createObjectNode().put("verbatim", true);
      ArrayNode messages = record.putArray("messages");
      messages.addAll((ArrayNode) server.requests().getLast().body().get("messages"));
      messages.addObject().put("role", "assistant").put("content", ANSWER_TURN);
      return record;
    }
  }

  @Test
  void an_interrupted_question_leaves_no_crash_report() throws Exception {
    model(QUESTION, 0);
    Running running = program.start(ask("local:model", "data"));
    running.awaitSaid("episode ");
    Ended ended = running.interrupt();
    assertEquals(Failure.INTERRUPTED, ended.code(), ended.err());
    assertTrue(ended.err().contains("Interrupted. Nothing is lost"), ended.err());
    try (Stream<Path> files = Files.list(scratch)) {
      List<String> names = files.map(f -> f.getFileName().toString()).toList();
      assertTrue(names.stream().noneMatch(f -> f.startsWith("hs_err")), names.toString());
    }
  }
}
