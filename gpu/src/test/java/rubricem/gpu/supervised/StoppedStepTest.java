package rubricem.gpu.supervised;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.TinyModel;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.checkpoint.CheckpointSettings;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.LearningRate;
import rubricem.gpu.train.Packing;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.TrainedModel;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.StoredTensor;
import rubricem.protocol.learning.SupervisedRow;

/** A stop inside a step: the step was never begun, and a run ends with the step before. */
class StoppedStepTest {
  @TempDir Path scratch;
  private ModelFolder base;
  private final List<SupervisedRow> rows = new ArrayList<>();

  @BeforeEach
  void model() {
    for (int i = 0; i < 12; i++) {
      rows.add(
          new SupervisedRow(
              "row " + i, new int[] {1, 2, 10 + i, 30 + 2 * i},
              new boolean[] {false, false, true, true}));
    }
  }

  private TrainedModel open(int workers) throws IOException {
    base = ModelFolder.open(TinyModel.write(scratch.resolve("model")));
    return TrainedModel.open(
        base,
        new TrainedModel.Setup(
            new DeviceName.Cpu(), Precision.FP32, null, new AdamWOptions(0.9, 0.95, 1e-8, 0, 1),
            new TrainSettings(new Packing.Documents(1), workers, 1, 1L << 30, 1 << 20), 3,
            () -> 0));
  }

  private static List<double[]> weights(TrainedModel model) {
    return model.tensors().stream().map(StoredTensor::toDoubles).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void nothing_of_a_step_that_was_given_up_remains(int workers) throws IOException {
    try (TrainedModel stopped = open(workers);
        TrainedModel whole = open(workers)) {
      List<double[]> before = weights(stopped);
      AtomicInteger asked = new AtomicInteger();
      stopped.trainer().stopWhen(() -> asked.incrementAndGet() > 5);
      assertThrows(
          DeviceStoppedException.class, () -> stopped.trainer().imitate(rows, 1e-3));
      assertTrue(asked.get() > 5, "asked before every micro-batch");
      List<double[]> after = weights(stopped);
      for (int i = 0; i < before.size(); i++) {
        assertArrayEquals(before.get(i), after.get(i));
      }
      stopped.trainer().stopWhen(() -> false);
      assertEquals(
          whole.trainer().imitate(rows, 1e-3).gradNorm(),
          stopped.trainer().imitate(rows, 1e-3).gradNorm(), 1e-12, "no gradient was left over");
    }
  }

  @Test
  void a_run_ends_with_a_checkpoint_of_the_last_whole_step() throws IOException {
    List<Checkpoint> saved = new ArrayList<>();
    List<Long> steps = new ArrayList<>();
    SupervisedRun.Listener listener =
        new SupervisedRun.Listener() {
          @Override
          public void onStep(SupervisedRun.Step step) {
            steps.add(step.number());
          }

          @Override
          public void onCheckpoint(Checkpoint checkpoint) {
            saved.add(checkpoint);
          }
        };
    AtomicInteger asked = new AtomicInteger();
    SupervisedPlan plan =
        new SupervisedPlan(
            new RowOrder(rows.size(), 6, 1), 10,
            new LearningRate(LearningRate.Course.CONSTANT, 1e-3, 0, 0), 100);
    try (TrainedModel model = open(1)) {
      SupervisedRun.Position at =
          new SupervisedRun(
                  model, rows, plan,
                  new CheckpointFolder(
                      scratch.resolve("c"), new CheckpointSettings(2, 0), Clock.systemUTC()),
                  listener)
              // seven questions a step: one before it, one before each of its micro-batches
              .run(SupervisedRun.Position.START, () -> asked.incrementAndGet() > 18);
      assertEquals(2, at.step());
    }
    assertEquals(List.of(1L, 2L), steps);
    assertEquals(List.of(2L), saved.stream().map(c -> c.state().step()).toList());
  }
}
