package rubricem.actors.credit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.protocol.learning.Credit;

class StageWeightsTest {

  @ParameterizedTest
  @CsvSource({"1,0,0.1", "2,2,0.9", "0,3,1.1", "0,1,-0.1", "0,1,NaN", "3,3,NaN", "3,0,NaN"})
  void a_weight_that_breaks_the_causal_form_is_refused_with_its_place(
      int row, int column, double weight) {
    List<List<Double>> weights = new ArrayList<>();
    Credit.PAPER_WEIGHTS.forEach(each -> weights.add(new ArrayList<>(each)));
    weights.get(row).set(column, weight);
    var refused =
        assertThrows(IllegalArgumentException.class, () -> StageWeights.causal(weights));
    String place = "row " + (row + 1) + " column " + (column + 1);
    assertTrue(refused.getMessage().contains(place), refused.getMessage());
  }

  @Test
  void a_matrix_of_another_size_is_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> StageWeights.causal(Credit.PAPER_WEIGHTS.subList(0, 3)));
    assertThrows(
        IllegalArgumentException.class,
        () -> StageWeights.causal(List.of(List.of(1.0), List.of(), List.of(), List.of())));
  }

  @Test
  void the_terminal_form_needs_no_diagonal_and_sees_only_the_answer() {
    double[] returns =
        StageReturns.of(StageWeights.terminal(), new double[] {.1, Double.NaN, .3, .9});
    assertArrayEquals(new double[] {.9, .9, .9, .9}, returns);
  }

  @Test
  void a_score_that_is_missing_makes_missing_what_it_is_part_of_and_nothing_else() {
    double[] returns =
        StageReturns.of(StageWeights.paper(), new double[] {Double.NaN, .5, .5, .5});
    assertTrue(Double.isNaN(returns[0]));
    assertArrayEquals(new double[] {1.1, .9, .5}, new double[] {returns[1], returns[2], returns[3]},
        1e-12);
  }
}
