package rubricem.gpu.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.NativeCount;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.Packing;
import rubricem.gpu.train.TrainSettings;

class TrainingBenchTest {
  private static TrainingBench tiny() throws IOException {
    AtomicLong clock = new AtomicLong();
    return new TrainingBench(
        BenchShape.TINY1M, new DeviceName.Cpu(), Precision.FP32,
        new TrainSettings(new Packing.Tokens(64), 2, 1, 1L << 30, 1 << 20),
        () -> clock.addAndGet(1_000_000_000));
  }

  @Test
  void hundreds_of_steps_of_any_length_leave_nothing_native_behind() throws IOException {
    try (TrainingBench bench = tiny()) {
      bench.step(bench.batch(3, 9));
      NativeCount before = bench.natives();
      for (int step = 0; step < 150; step++) {
        bench.step(bench.batch(1 + step % 3, 2 + step % 7));
      }
      assertEquals(before, bench.natives());
    }
  }

  @Test
  void a_step_is_timed_by_the_clock_it_is_given() throws IOException {
    try (TrainingBench bench = tiny()) {
      // the step itself asks twice in between
      assertTrue(bench.median(bench.batch(2, 4), 1, 4) >= 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"tiny1m, 1", "small10m, 11", "135m, 134"})
  void a_shape_has_about_as_many_weights_as_its_name_says(String name, long millions) {
    BenchShape shape = BenchShape.named(name);
    assertEquals(name, shape.label());
    assertEquals(millions, shape.shape().parameters() / 1_000_000);
  }

  @Test
  void another_shape_is_refused_with_the_names_there_are() {
    var refused = assertThrows(IllegalArgumentException.class, () -> BenchShape.named("1b"));
    assertTrue(refused.getMessage().contains("small10m"));
  }
}
