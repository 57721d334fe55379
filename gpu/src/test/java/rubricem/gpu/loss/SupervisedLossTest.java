package rubricem.gpu.loss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import rubricem.protocol.learning.SupervisedRow;

class SupervisedLossTest {
  private static final SupervisedRow SHORT =
      new SupervisedRow("short", new int[] {1, 2, 3}, new boolean[] {false, true, false});
  private static final SupervisedRow LONG =
      new SupervisedRow(
          "long", new int[] {1, 2, 3, 4}, new boolean[] {false, true, true, true});

  @Test
  void the_loss_is_one_mean_over_all_counted_tokens_however_rows_are_cut() {
    double[][] logProbs = {{9, -1, Double.NaN}, {9, -2, -3, -4}};
    SupervisedLoss loss = new SupervisedLoss(List.of(SHORT, LONG));
    LossPart whole = loss.of(new int[] {0, 1}, logProbs);
    assertEquals(2.5, whole.loss(), 1e-15);
    assertArrayEquals(new double[] {0, -.25, 0}, whole.slopes()[0], 0);
    assertArrayEquals(new double[] {0, -.25, -.25, -.25}, whole.slopes()[1], 0);
    LossPart second = loss.of(new int[] {1}, new double[][] {logProbs[1]});
    LossPart first = loss.of(new int[] {0}, new double[][] {logProbs[0]});
    assertEquals(whole.loss(), first.loss() + second.loss(), 1e-15);
    assertArrayEquals(whole.slopes()[1], second.slopes()[0], 0);
    assertTrue(whole.finite());
  }

  @Test
  void a_step_without_counted_tokens_is_skipped() {
    SupervisedRow none = new SupervisedRow("none", new int[] {1, 2}, new boolean[2]);
    SupervisedLoss loss = new SupervisedLoss(List.of(none));
    LossPart part = loss.of(new int[] {0}, new double[][] {{Double.NaN, -1}});
    assertTrue(loss.skipped());
    assertEquals(0, part.loss(), 0);
    assertArrayEquals(new double[2], part.slopes()[0], 0);
  }

  @Test
  void a_counted_token_without_a_number_marks_the_step() {
    SupervisedLoss loss = new SupervisedLoss(List.of(SHORT));
    LossPart part =
        loss.of(new int[] {0}, new double[][] {{0, Double.NEGATIVE_INFINITY, 0}});
    assertFalse(part.finite());
    assertEquals(0, part.slopes()[0][1], 0);
  }

  @Test
  void rows_of_another_length_are_refused() {
    SupervisedLoss loss = new SupervisedLoss(List.of(SHORT));
    assertThrows(
        IllegalArgumentException.class, () -> loss.of(new int[] {0}, new double[][] {{0, 0}}));
    assertThrows(
        IllegalArgumentException.class, () -> loss.of(new int[] {0}, new double[0][]));
  }
}
