package rubricem.protocol.learning;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainRolloutTest {
  private static TrainRollout rollout(
      int ids, int stages, int sampler, int old, int reference, int advantages) {
    return new TrainRollout(
        "q", "a", 0, new int[7], new int[ids], new byte[stages], new double[sampler],
        new double[old], new double[reference], new double[advantages], false);
  }

  @ParameterizedTest
  @CsvSource({
    "3,4,3,3,3,4", "3,3,2,3,3,4", "3,3,3,4,3,4", "3,3,3,3,0,4", "4,3,3,3,3,4", "3,3,3,3,3,3"
  })
  void L28_arrays_of_different_lengths_make_no_rollout(
      int ids, int stages, int sampler, int old, int reference, int advantages) {
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> rollout(ids, stages, sampler, old, reference, advantages));
    assertTrue(refused.getMessage().contains("length"), refused.getMessage());
    assertEquals(3, rollout(3, 3, 3, 3, 3, 4).length());
  }

  @Test
  void L29_only_sampled_tokens_can_carry_loss() {
    TrainRollout rollout =
        new TrainRollout(
            "q", "a", 0, new int[] {5, 6, 7}, new int[] {1, 2, 3, 4}, new byte[] {1, 0, 0, 4},
            new double[4], null, null, new double[] {2, 3, 4, 5}, false);
    assertEquals(2, rollout.sampledTokens());
    double[] advantages = new double[4];
    Arrays.setAll(advantages, rollout::advantageAt);
    assertArrayEquals(new double[] {2, 0, 0, 5}, advantages);
  }

  @ParameterizedTest
  @ValueSource(bytes = {-1, 5, 127})
  void a_stage_that_is_none_is_refused(byte stage) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new TrainRollout(
            "q", "a", 0, new int[0], new int[1], new byte[] {stage}, new double[1], null, null,
            new double[4], false));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void a_rollout_without_credit_is_refused(double advantage) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new TrainRollout(
            "q", "a", 0, new int[0], new int[1], new byte[1], new double[1], null, null,
            new double[] {0, 0, 0, advantage}, false));
  }

  @Test
  void a_supervised_row_has_a_mask_for_every_token_and_none_for_the_first() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new SupervisedRow("r", new int[2], new boolean[3]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SupervisedRow("r", new int[2], new boolean[] {true, false}));
    assertEquals(
        1, new SupervisedRow("r", new int[2], new boolean[] {false, true}).trainedTokens());
  }
}
