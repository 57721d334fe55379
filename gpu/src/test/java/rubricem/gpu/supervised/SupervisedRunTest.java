package rubricem.gpu.supervised;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.TinyModel;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.checkpoint.CheckpointSettings;
import rubricem.gpu.checkpoint.CheckpointState;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.NativeCount;
import rubricem.gpu.model.Precision;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.LearningRate;
import rubricem.gpu.train.Packing;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.TrainedModel;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.protocol.learning.SupervisedRow;

class SupervisedRunTest {
  private static final LearningRate RATE =
      new LearningRate(LearningRate.Course.COSINE, 4e-3, 0.1, 0);

  @TempDir Path scratch;
  private ModelFolder base;
  private List<SupervisedRow> rows;

  /** Keeps what was said. */
  private static final class Record implements SupervisedRun.Listener {
    final List<SupervisedRun.Step> steps = new ArrayList<>();
    final List<Checkpoint> checkpoints = new ArrayList<>();

    @Override
    public void onStep(SupervisedRun.Step step) {
      steps.add(step);
    }

    @Override
    public void onCheckpoint(Checkpoint checkpoint) {
      checkpoints.add(checkpoint);
    }
  }

  @BeforeEach
  void model() throws IOException {
    base = ModelFolder.open(TinyModel.write(scratch.resolve("model")));
    Path data = scratch.resolve("data.jsonl");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      lines.add(
          """
          {"messages": [{"role": "user", "content": "what is %d?"}, \
          {"role": "assistant", "content": "it is %d"}]}"""
              .formatted(i * 37 % 101, i * i * 7 % 997));
    }
    Files.write(data, lines);
    try (QwenTokenizer tokenizer = QwenTokenizer.open(base.tokenizer().orElseThrow())) {
      rows =
          SupervisedFile.read(
                  data, new RowSettings(200, List.of()), base.shape().vocabulary(),
                  tokenizer::encode, OptionalInt.empty())
              .rows();
    }
  }

  private static TrainedModel.Setup setup(@Nullable LoraConfig lora) {
    return new TrainedModel.Setup(
        new DeviceName.Cpu(), Precision.FP32, lora, new AdamWOptions(0.9, 0.999, 1e-8, 0, 1),
        new TrainSettings(new Packing.Tokens(512), 1, 1, 1L << 30, 1 << 20), 3, System::nanoTime);
  }

  private static @Nullable LoraConfig lora(boolean wanted) {
    return wanted ? LoraConfig.of(4, 8, List.of("q_proj", "down_proj"), "model") : null;
  }

  private CheckpointFolder folder(String name) {
    return new CheckpointFolder(
        scratch.resolve(name), new CheckpointSettings(5, 0), Clock.systemUTC());
  }

  private SupervisedPlan plan(int perStep, long steps) {
    return new SupervisedPlan(new RowOrder(rows.size(), perStep, 9), steps, RATE, 1_000);
  }

  private SupervisedRun.Position train(
      TrainedModel model, SupervisedPlan plan, String into, SupervisedRun.Position from, long until,
      Record record) throws IOException {
    return new SupervisedRun(model, rows, plan, folder(into), record)
        .run(from, () -> from.step() + record.steps.size() >= until);
  }

  @Test
  void a_small_model_learns_twenty_short_rows_by_heart() throws IOException {
    Record record = new Record();
    try (TrainedModel model = TrainedModel.open(base, setup(null))) {
      new SupervisedRun(model, rows, plan(20, 60), folder("a"), record)
          .run(SupervisedRun.Position.START, () -> false);
    }
    double first = record.steps.getFirst().report().loss();
    double last = record.steps.getLast().report().loss();
    assertTrue(first > 4, "untrained: " + first);
    assertTrue(last < 0.5, "after 60 steps: " + last);
    assertEquals(60, record.checkpoints.getLast().state().step());
    assertEquals(60, record.steps.getLast().policyVersion());
  }

  @ParameterizedTest
  @CsvSource({"false, 7", "true, 7", "false, 10"})
  void six_steps_are_three_a_stop_and_three_byte_for_byte(boolean adapter, int perStep)
      throws IOException {
    // with 10 a step the stop would be within an epoch, with 7 it is exactly at its end
    SupervisedPlan plan = plan(perStep, 6);
    Record straight = new Record();
    try (TrainedModel model = TrainedModel.open(base, setup(lora(adapter)))) {
      train(model, plan, "straight", SupervisedRun.Position.START, 6, straight);
    }
    Record half = new Record();
    try (TrainedModel model = TrainedModel.open(base, setup(lora(adapter)))) {
      train(model, plan, "parted", SupervisedRun.Position.START, 3, half);
    }
    Checkpoint checkpoint = folder("parted").latest().found().orElseThrow();
    assertEquals(3, checkpoint.state().step());
    Record rest = new Record();
    try (TrainedModel model = TrainedModel.resume(base, checkpoint, setup(lora(adapter)))) {
      train(model, plan, "parted", SupervisedRun.Position.of(checkpoint), 6, rest);
    }
    assertEquals(3, rest.steps.size(), "L-04: a resumed run does all that is left");
    same(scratch.resolve("straight/step-000006"), scratch.resolve("parted/step-000006"));
    assertEquals(
        losses(straight), Stream.concat(losses(half).stream(), losses(rest).stream()).toList());
    same3AndBaseDiffer(adapter);
  }

  private void same3AndBaseDiffer(boolean adapter) throws IOException {
    String file = adapter ? LoraFolder.WEIGHTS : "model.safetensors";
    assertTrue(
        Files.mismatch(
                scratch.resolve("parted/step-000003/" + file),
                scratch.resolve("parted/step-000006/" + file)) >= 0,
        "nothing was trained");
  }

  private static List<Double> losses(Record record) {
    return record.steps.stream().map(s -> s.report().loss()).toList();
  }

  /** Every file but the manifest, which has a time in it. */
  private static void same(Path left, Path right) throws IOException {
    try (Stream<Path> files = Files.walk(left)) {
      List<Path> compared =
          files.filter(Files::isRegularFile)
              .filter(f -> !f.getFileName().toString().equals("manifest.json"))
              .toList();
      assertTrue(compared.size() >= 3, compared.toString());
      for (Path file : compared) {
        Path other = right.resolve(left.relativize(file));
        assertEquals(-1, Files.mismatch(file, other), file.toString());
      }
    }
  }

  @Test
  void a_checkpoint_of_whole_weights_is_a_model_folder_with_the_tokenizer() throws IOException {
    try (TrainedModel model = TrainedModel.open(base, setup(null))) {
      Checkpoint saved =
          model.save(folder("a"), new TrainedModel.Cut(1, 1, Map.of("bank", 4L), Map.of()));
      ModelFolder read = ModelFolder.open(saved.weights());
      assertEquals(base.shape(), read.shape());
      assertEquals(base.tensors(), read.tensors());
      assertTrue(read.tokenizer().isPresent());
      assertEquals(4L, saved.state().journal().get("bank"));
      assertEquals(CheckpointState.OPTIMISER, saved.state().optimiserFile().orElseThrow());
    }
  }

  @Test
  void steps_leave_no_arrays_behind() throws IOException {
    try (TrainedModel model = TrainedModel.open(base, setup(null))) {
      Record record = new Record();
      SupervisedPlan plan = plan(5, 30);
      train(model, plan, "a", SupervisedRun.Position.START, 2, record);
      NativeCount before = model.natives();
      train(model, plan, "b", new SupervisedRun.Position(2, 2), 30, record);
      assertEquals(before, model.natives());
    }
  }
}
