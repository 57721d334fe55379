package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.TinyModel;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Program.Running;

/** {@code sft} ended from outside: Ctrl-C, SIGTERM, kill -9 while checkpoints are written. */
class SftInterruptionIT {
  private static final int LIVES = 4;
  private static final int STEPS = 160;

  @TempDir Path scratch;
  private Program program;

  @BeforeEach
  void files() throws IOException {
    program = Program.in(scratch);
    TinyModel.write(scratch.resolve("model"));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      lines.add("{\"ids\": [1, 2, %d, %d, 4], \"mask\": [0, 0, 1, 1, 1]}".formatted(i + 9, 3 * i));
    }
    Files.write(scratch.resolve("data.jsonl"), lines);
  }

  private String[] begin(String run, int steps) {
    return new String[] {
      "sft", "--data", "data.jsonl", "--model", "model", "--out", run, "--batch", "5", "--steps",
      Integer.toString(steps), "--checkpoint-every", "1"
    };
  }

  private static String[] goOn(String run) {
    return new String[] {"sft", "--resume", "--out", run};
  }

  @Test
  void killed_at_any_moment_it_goes_on_and_ends_with_the_same_weights() throws Exception {
    assertEquals(0, program.run(begin("whole", STEPS)).code());
    // a fixed seed: the moment within a write differs by itself
    Random random = new Random(7);
    Running running = program.start(begin("killed", STEPS));
    for (int life = 1; life <= LIVES; life++) {
      running.awaitSaid("checkpoint step-%06d".formatted(30 * life + random.nextInt(8)));
      running.process().waitFor(random.nextInt(30), java.util.concurrent.TimeUnit.MILLISECONDS);
      running.kill();
      running = program.start(goOn("killed"));
    }
    Ended ended = running.end();
    assertEquals(0, ended.code(), ended.err());
    same("model.safetensors");
    same("optimiser/state.safetensors");
    assertEquals(
        withoutTimes("whole"), withoutTimes("killed"), "every step has one line, in order");
  }

  private void same(String file) throws IOException {
    String last = "checkpoints/step-%06d/".formatted(STEPS) + file;
    assertEquals(
        -1,
        Files.mismatch(
            scratch.resolve("whole").resolve(last), scratch.resolve("killed").resolve(last)),
        file);
  }

  private List<String> withoutTimes(String run) throws IOException {
    return Files.readAllLines(scratch.resolve(run).resolve("metrics.jsonl")).stream()
        .map(line -> line.substring(0, line.indexOf("\"seconds\"")))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-INT", "-TERM"})
  void a_signal_ends_it_after_the_step_with_a_checkpoint_and_no_crash(String signal)
      throws Exception {
    Running running = program.start(begin("run", 1_000_000));
    running.awaitSaid("checkpoint step-000005");
    new ProcessBuilder("kill", signal, "" + running.process().pid()).start().waitFor();
    Ended ended = running.end();
    assertEquals(130, ended.code(), ended.err());
    assertTrue(ended.err().contains("--resume --out"), ended.err());
    String said = ended.out();
    assertTrue(said.contains("The model: "), said);
    Path model = Path.of(said.substring(said.indexOf("The model: ") + 11).strip());
    assertTrue(Files.exists(model.resolve("manifest.json")), model.toString());
    try (Stream<Path> files = Files.list(scratch)) {
      assertFalse(
          files.anyMatch(f -> f.getFileName().toString().startsWith("hs_err")), "it crashed");
    }
  }

  @Test
  void two_processes_do_not_train_one_run() throws Exception {
    Running running = program.start(begin("run", 1_000_000));
    running.awaitSaid("checkpoint step-000001");
    Ended second = program.run(goOn("run"));
    running.kill();
    assertEquals(1, second.code());
    assertTrue(second.err().contains("Another process is training"), second.err());
  }

  @Test
  void a_checkpoint_whose_bytes_changed_is_named_and_an_older_one_is_used() throws Exception {
    assertEquals(0, program.run(begin("run", 4)).code());
    Path weights = scratch.resolve("run/checkpoints/step-000004/model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    bytes[bytes.length / 2] ^= 1;
    Files.write(weights, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    Ended ended = program.run(goOn("run"));
    assertEquals(0, ended.code(), ended.err());
    assertTrue(ended.err().contains("step-000004"), ended.err());
    assertTrue(ended.err().contains("differs from its checksum"), ended.err());
    assertTrue(ended.err().contains("step 4 to 4, going on"), ended.err());
  }

  @Test
  void a_run_that_is_finished_says_so_and_shows_its_model() throws Exception {
    assertEquals(0, program.run(begin("run", 2)).code());
    Ended again = program.run(goOn("run"));
    assertEquals(0, again.code(), again.err());
    assertTrue(again.err().contains("The run is finished: all 2 steps"), again.err());
    assertFalse(again.err().contains("step 3"), again.err());
    assertTrue(again.out().contains("checkpoints/step-000002"), again.out());
  }
}
