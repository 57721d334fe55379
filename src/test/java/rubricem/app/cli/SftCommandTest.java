package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.TinyModel;
import rubricem.protocol.run.RunLayout;

/** {@code sft} as a user gives it, within this process: what it refuses and what it writes. */
class SftCommandTest {
  @TempDir Path scratch;
  private Path model;
  private Path data;

  private record Ended(int code, String err) {}

  @BeforeEach
  void files() throws IOException {
    model = TinyModel.write(scratch.resolve("model"));
    data = scratch.resolve("data.jsonl");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      lines.add("{\"ids\": [1, 2, %d, 4], \"mask\": [0, 0, 1, 1]}".formatted(i + 10));
    }
    lines.add("{\"ids\": [1, 2], \"mask\": [0, 0]}");
    Files.write(data, lines);
  }

  private Ended sft(String... more) {
    List<String> args =
        new ArrayList<>(List.of("sft", "--data-dir", scratch.resolve("d").toString()));
    args.addAll(List.of(more));
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      int code = Rubricem.run(args.toArray(String[]::new));
      return new Ended(code, said.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(err);
    }
  }

  private Ended begin(Path out, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of("--data", data.toString(), "--model", model.toString(), "--out",
                out.toString(), "--quiet"));
    args.addAll(List.of(more));
    return sft(args.toArray(String[]::new));
  }

  private static List<JsonNode> metrics(Path run) throws IOException {
    List<JsonNode> out = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve(RunLayout.METRICS))) {
      out.add(new ObjectMapper().readTree(line));
    }
    return out;
  }

  @Test
  void a_run_has_its_configuration_a_line_a_step_and_a_checkpoint() throws IOException {
    Path run = scratch.resolve("run");
    Ended ended = begin(run, "--epochs", "2", "--batch", "4", "--lora", "2");
    assertEquals(0, ended.code(), ended.err());
    List<JsonNode> metrics = metrics(run);
    assertEquals(List.of(1, 2, 3, 4), metrics.stream().map(m -> m.get("step").asInt()).toList());
    assertEquals(List.of(0, 0, 1, 1), metrics.stream().map(m -> m.get("epoch").asInt()).toList());
    for (String key :
        List.of("loss", "lr", "grad_norm", "tokens", "seconds", "tokens_per_second",
            "flop_utilisation", "skipped", "skipped_steps", "policy_version", "arm")) {
      assertTrue(metrics.getFirst().has(key), key);
    }
    assertTrue(Files.exists(run.resolve("checkpoints/step-000004/adapter_config.json")));
    String config = Files.readString(run.resolve(RunLayout.CONFIG));
    assertTrue(config.contains("batch=4"), config);
  }

  @Test
  void a_run_that_lost_its_last_steps_goes_on_as_it_was_begun() throws IOException {
    Path whole = scratch.resolve("whole");
    String[] options = {"--steps", "6", "--batch", "3", "--checkpoint-every", "2"};
    assertEquals(0, begin(whole, options).code());
    Path parted = scratch.resolve("parted");
    assertEquals(0, begin(parted, options).code());
    // what a process leaves that dies after step 5: metrics beyond the last whole checkpoint
    Files.delete(parted.resolve("checkpoints/step-000006/manifest.json"));
    Ended ended = sft("--resume", "--out", parted.toString(), "--quiet");
    assertEquals(0, ended.code(), ended.err());
    assertEquals(
        metrics(whole).stream().map(m -> m.get("loss")).toList(),
        metrics(parted).stream().map(m -> m.get("loss")).toList());
    assertEquals(
        -1,
        Files.mismatch(
            whole.resolve("checkpoints/step-000006/model.safetensors"),
            parted.resolve("checkpoints/step-000006/model.safetensors")));
    assertEquals(0, sft("--resume", "--out", parted.toString(), "--quiet").code());
    assertEquals(6, metrics(parted).size(), "a run that is done has nothing left to do");
  }

  @Test
  void a_folder_with_a_run_and_data_that_changed_are_refused() throws IOException {
    Path run = scratch.resolve("run");
    assertEquals(0, begin(run, "--steps", "1").code());
    Ended again = begin(run, "--steps", "1");
    assertEquals(1, again.code());
    assertTrue(again.err().contains("--resume"), again.err());
    Files.writeString(data, "{\"ids\": [1, 2], \"mask\": [0, 1]}\n");
    Ended changed = sft("--resume", "--out", run.toString());
    assertEquals(1, changed.code());
    assertTrue(changed.err().contains("not what this run was begun with"), changed.err());
  }

  @Test
  void what_cannot_be_read_is_said_and_no_run_is_begun() throws IOException {
    Files.writeString(data, "{\"ids\": [1, 999], \"mask\": [0, 1]}\n");
    Path run = scratch.resolve("run");
    Ended ended = begin(run);
    assertEquals(1, ended.code());
    assertTrue(ended.err().contains("line 1"), ended.err());
    assertFalse(Files.exists(run));
    Ended absent = begin(run, "--device", "cuda:7");
    assertEquals(2, absent.code());
    assertTrue(absent.err().contains("cuda:7 is not there"), absent.err());
    assertFalse(Files.exists(run));
  }

  @ParameterizedTest
  @CsvSource({
    "--batch,0", "--rate,0", "--steps,0", "--epochs,0", "--device,gpu", "--precision,fp8",
    "--lora,9999", "--checkpoint-every,0"
  })
  void wrong_settings_are_wrong_usage(String option, String value) {
    Path run = scratch.resolve("run");
    Ended ended = begin(run, option, value);
    assertEquals(2, ended.code(), ended.err());
    assertFalse(Files.exists(run));
  }

  @Test
  void without_data_or_with_settings_to_resume_it_is_wrong_usage() {
    assertEquals(2, sft().code());
    assertEquals(2, sft("--resume", "--batch", "3").code());
    assertEquals(2, sft("--resume").code());
  }
}
