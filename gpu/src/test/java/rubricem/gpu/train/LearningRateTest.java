package rubricem.gpu.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import rubricem.gpu.train.LearningRate.Course;

class LearningRateTest {
  @ParameterizedTest
  @CsvSource({
    // course, warm-up, floor, step of 10, rate
    "CONSTANT, 0,   0,   0, 1",
    "CONSTANT, 0,   0.5, 9, 1",
    "CONSTANT, 0.4, 0,   0, 0.25",
    "CONSTANT, 0.4, 0,   3, 1",
    "CONSTANT, 0.4, 0,   4, 1",
    "LINEAR,   0,   0,   0, 1",
    "LINEAR,   0,   0,   5, 0.5",
    "LINEAR,   0,   0,   9, 0.1",
    "LINEAR,   0,   0.2, 5, 0.6",
    "LINEAR,   0.2, 0,   0, 0.5",
    "LINEAR,   0.2, 0,   1, 1",
    "LINEAR,   0.2, 0,   2, 1",
    "LINEAR,   0.2, 0,   6, 0.5",
    "COSINE,   0,   0,   0, 1",
    "COSINE,   0,   0,   5, 0.5",
    "COSINE,   0,   0.1, 5, 0.55",
    "COSINE,   0.2, 0,   4, 0.85355339059327373",
    "COSINE,   0.2, 0,   6, 0.5",
    "COSINE,   1,   0,   9, 1",
    "COSINE,   1,   0,   4, 0.5"
  })
  void follows_its_course(Course course, double warmUp, double floor, long step, double rate) {
    assertEquals(rate, new LearningRate(course, 1, warmUp, floor).at(step, 10), 1e-15);
  }

  @ParameterizedTest
  @EnumSource
  void no_step_does_nothing_and_none_is_above_the_peak(Course course) {
    for (int steps = 1; steps < 40; steps++) {
      LearningRate rate = new LearningRate(course, 3e-4, 0.1, 0);
      for (int step = 0; step < steps; step++) {
        double at = rate.at(step, steps);
        assertTrue(at > 0 && at <= 3e-4, course + " " + step + " of " + steps + ": " + at);
      }
    }
  }

  @Test
  void the_papers_rises_over_a_tenth_to_4e_5() {
    assertEquals(4e-6, LearningRate.supervised().at(0, 100), 1e-20);
    assertEquals(4e-5, LearningRate.supervised().at(9, 100), 1e-20);
    assertEquals(4e-5, LearningRate.supervised().at(10, 100), 1e-20);
    assertTrue(LearningRate.supervised().at(99, 100) < 1e-7);
  }

  @ParameterizedTest
  @CsvSource({"0,0,0", "-1,0,0", "2,0,0", "NaN,0,0", "1e-4,-0.1,0", "1e-4,1.1,0", "1e-4,0,2"})
  void what_makes_no_sense_is_refused(double peak, double warmUp, double floor) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new LearningRate(Course.LINEAR, peak, warmUp, floor));
  }

  @Test
  void a_step_outside_the_run_is_refused() {
    LearningRate rate = LearningRate.supervised();
    assertThrows(IllegalArgumentException.class, () -> rate.at(10, 10));
    assertThrows(IllegalArgumentException.class, () -> rate.at(-1, 10));
  }
}
