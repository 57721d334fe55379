package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Shared;

/**
 * An array that DJL makes from Java's numbers lies in memory that garbage collection gives back once
 * the array is closed, whatever native array still points there. Here collections come all the time
 * and memory that is given back is written over, so that nothing computed from it could be right.
 */
class FreedMemoryIT {
  private static final String MODEL = Shared.golden("qwen3-tied").toString();

  @TempDir Path scratch;
  private Program program;
  private Program written;

  @BeforeEach
  void memory_given_back_is_written_over() {
    program = Program.in(scratch);
    written =
        program
            .collecting("-XX:+UseG1GC", "-XX:G1PeriodicGCInterval=5")
            .with("MALLOC_PERTURB_", "165");
  }

  @Test
  void every_comparison_with_the_reference_holds() throws Exception {
    Ended ended = written.run("verify-learner", Shared.golden("README.md").getParent().toString());
    assertEquals(0, ended.code(), ended.out() + ended.err());
    assertTrue(ended.out().contains(" are within their tolerances."), ended.out());
  }

  @Test
  void the_same_tokens_are_drawn() throws Exception {
    String[] asked = {
      "generate", "--model", MODEL, "--ids", "5,6,7,8,9", "--samples", "8", "--max-tokens", "40",
      "--json", "--quiet"
    };
    Ended plain = program.run(asked);
    assertEquals(0, plain.code(), plain.err());
    assertEquals(plain.out(), written.run(asked).out());
  }

  @Test
  void the_same_weights_are_trained() throws Exception {
    String records =
        IntStream.range(0, 24)
            .mapToObj(i -> "{\"ids\": [1, " + (i + 2) + ", 3, 4, 5], \"mask\": [0, 0, 1, 1, 1]}")
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(scratch.resolve("data.jsonl"), records);
    assertEquals(-1, Files.mismatch(trained(program, "plain"), trained(written, "written")));
  }

  private Path trained(Program by, String run) throws Exception {
    Ended ended =
        by.run(
            "sft", "--data", "data.jsonl", "--model", MODEL, "--out", run, "--steps", "12",
            "--quiet");
    assertEquals(0, ended.code(), ended.err());
    return scratch.resolve(run).resolve("checkpoints/step-000012/model.safetensors");
  }
}
