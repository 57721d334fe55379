package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.app.node.StageCredit;
import rubricem.gpu.TinyModel;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.weights.QwenShape;
import rubricem.protocol.learning.Credit;
import rubricem.protocol.learning.TrainRollout;
import rubricem.testkit.Program;
import rubricem.testkit.Program.Ended;
import rubricem.testkit.Program.Running;
import rubricem.testkit.Shared;

/**
 * Commands of the learner that a signal ends while they are inside libtorch: the code of an
 * interruption, nothing half written, and no report of a crash. {@code sft} has a test of its own.
 */
class LearnerInterruptionIT {
  private static final String[] GENERATE = {
    "generate", "--model", "model", "--ids", "1,2,3", "--max-tokens", "500", "--samples", "1024"
  };
  private static final String[] TRAIN_STEP = {
    "train-step", "batch.jsonl", "--out", "stepped", "--model",
    Shared.golden("qwen3-tied").toString()
  };
  private static final String[] VERIFY = {
    "verify-learner", Shared.golden("README.md").getParent().toString()
  };
  private static final String[] EXPORT = {"export-script", "scripts", "--model", "larger"};

  @TempDir Path scratch;
  private Program program;

  @BeforeEach
  void program() throws IOException {
    Path temporary = Files.createDirectory(scratch.resolve("tmp"));
    program = Program.in(scratch).with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
  }

  private String[] command(String name) throws IOException {
    return switch (name) {
      case "generate" -> {
        TinyModel.write(scratch.resolve("model"));
        yield GENERATE;
      }
      case "train-step" -> {
        StoredBatch.write(scratch.resolve("batch.jsonl"), manyRollouts());
        yield TRAIN_STEP;
      }
      case "verify-learner" -> VERIFY;
      case "export-script" -> {
        TinyModel.write(
            scratch.resolve("larger"),
            QwenShape.of(4096, 256, 6, 4, 2, 64, 704, true, 512));
        yield EXPORT;
      }
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** A step of many seconds. */
  private static List<TrainRollout> manyRollouts() throws IOException {
    List<TrainRollout> handed = StoredBatch.read(Shared.golden("ssgrpo.json"), new StageCredit(Credit.PAPER)).rollouts();
    List<TrainRollout> many = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      TrainRollout r = handed.get(i % handed.size());
      many.add(
          new TrainRollout(
              r.group() + "-" + i / handed.size(), r.id() + "-" + i, r.policyVersion(),
              r.promptIds(), r.responseIds(), r.stage(), r.samplerLogProbs(), r.oldLogProbs(),
              r.referenceLogProbs(), r.advantages(), r.truncated()));
    }
    return many;
  }

  private Running begun(String name) throws Exception {
    String[] args = command(name);
    Running running = program.start(args);
    running.awaitSaid(" …");
    return running;
  }

  private static void signal(Running running, String signal) throws Exception {
    new ProcessBuilder("kill", signal, "" + running.process().pid()).start().waitFor();
  }

  private void nothingLeft(Set<String> before) throws IOException {
    Set<String> after = names(scratch);
    after.removeIf(f -> f.matches("(out|err)\\d+\\.txt") || f.equals("classes.jsa"));
    assertEquals(before, after, "what lies there afterwards");
    assertEquals(Set.of(), names(scratch.resolve("tmp")), "what lies among temporary files");
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Set<String> names = new TreeSet<>();
      files.forEach(f -> names.add(f.getFileName().toString()));
      names.removeIf(f -> f.startsWith("hsperfdata"));
      return names;
    }
  }

  private Set<String> given() throws IOException {
    Set<String> names = names(scratch);
    names.removeIf(f -> f.matches("(out|err)\\d+\\.txt") || f.equals("classes.jsa"));
    return names;
  }

  @ParameterizedTest
  @CsvSource({
    "generate, -INT, 0", "generate, -TERM, 300", "train-step, -INT, 500", "train-step, -TERM, 100",
    "verify-learner, -INT, 600", "verify-learner, -TERM, 100", "export-script, -INT, 50",
    "export-script, -TERM, 300"
  })
  void a_signal_ends_it_with_130_and_leaves_nothing(String name, String signal, long millis)
      throws Exception {
    Running running = begun(name);
    Set<String> given = given();
    running.process().waitFor(millis, TimeUnit.MILLISECONDS);
    signal(running, signal);
    Ended ended = running.end();
    assertEquals(Failure.INTERRUPTED, ended.code(), ended.err() + ended.out());
    assertTrue(ended.err().contains("Interrupted. "), ended.err());
    nothingLeft(given);
  }

  @ParameterizedTest
  @CsvSource({"generate", "train-step"})
  void a_second_signal_ends_it_at_once_and_without_a_crash(String name) throws Exception {
    Running running = begun(name);
    running.process().waitFor(300, TimeUnit.MILLISECONDS);
    signal(running, "-INT");
    signal(running, "-TERM");
    Ended ended = running.end();
    assertEquals(Failure.INTERRUPTED, ended.code(), ended.err());
    assertTrue(names(scratch).stream().noneMatch(f -> f.startsWith("hs_err")), "it crashed");
  }
}
