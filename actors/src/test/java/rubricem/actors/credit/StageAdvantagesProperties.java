package rubricem.actors.credit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import rubricem.protocol.learning.Credit;

/** Laws of credit, for groups with gaps and every way of scaling. */
class StageAdvantagesProperties {

  @Provide
  Arbitrary<double[][]> groups() {
    Arbitrary<Double> score = Arbitraries.of(0.0, .125, .25, .35, .5, .7, .8125, 1.0);
    Arbitrary<double[]> row = score.injectNull(.1).list().ofSize(4).map(
        scores -> scores.stream().mapToDouble(s -> s == null ? Double.NaN : s).toArray());
    return row.array(double[][].class).ofMinSize(0).ofMaxSize(8);
  }

  @Provide
  Arbitrary<Credit> credits() {
    return Combinators.combine(
            Arbitraries.of(Credit.Mode.class), Arbitraries.of(Credit.Scale.class),
            Arbitraries.of(true, false), Arbitraries.of(Credit.Unit.class),
            Arbitraries.of(2, 3))
        .as((mode, scale, leaveOneOut, unit, survivors) ->
            new Credit(
                mode, Credit.PAPER_WEIGHTS, scale, 1e-8, 1e-6, leaveOneOut, unit, survivors));
  }

  private static double sum(GroupAdvantages group, int stage) {
    double sum = 0;
    for (int i = 0; i < group.size(); i++) {
      sum += group.of(i)[stage];
    }
    return sum;
  }

  @Property
  void advantages_are_numbers_that_add_up_to_zero_in_every_stage(
      @ForAll("groups") double[][] scores, @ForAll("credits") Credit credit) {
    GroupAdvantages group = new StageAdvantages(credit).ofGroup(scores);
    for (int k = 0; k < 4; k++) {
      assertEquals(0, sum(group, k), 1e-9);
      for (int i = 0; i < group.size(); i++) {
        assertTrue(Double.isFinite(group.of(i)[k]));
        assertTrue((group.trained(i) && !group.flat(k)) || group.of(i)[k] == 0);
      }
    }
  }

  @Property
  void L37_an_advantage_by_the_groups_spread_is_bounded_by_the_groups_size(
      @ForAll("groups") double[][] scores) {
    GroupAdvantages group = new StageAdvantages(Credit.PAPER).ofGroup(scores);
    for (int i = 0; i < group.size(); i++) {
      for (double advantage : group.of(i)) {
        assertTrue(Math.abs(advantage) <= Math.sqrt(group.size() - 1) + 1e-9);
      }
    }
  }

  @Property
  void a_constant_added_to_a_stages_scores_changes_nothing(
      @ForAll("groups") double[][] scores, @ForAll @IntRange(max = 3) int stage,
      @ForAll @DoubleRange(min = .1, max = .5) double more) {
    double[][] lower = new double[scores.length][];
    double[][] higher = new double[scores.length][];
    for (int i = 0; i < scores.length; i++) {
      lower[i] = scores[i].clone();
      lower[i][stage] /= 2;
      higher[i] = lower[i].clone();
      higher[i][stage] += more;
    }
    StageAdvantages advantages = new StageAdvantages(Credit.PAPER);
    same(advantages.ofGroup(lower), advantages.ofGroup(higher), 1e-7);
  }

  @Property
  void a_rollout_without_any_score_might_as_well_not_be_there(
      @ForAll("groups") double[][] scores, @ForAll("credits") Credit credit) {
    double[][] more = Arrays.copyOf(scores, scores.length + 1);
    more[scores.length] = new double[] {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
    StageAdvantages advantages = new StageAdvantages(credit);
    GroupAdvantages with = advantages.ofGroup(more);
    assertTrue(!with.trained(scores.length));
    same(advantages.ofGroup(scores), with, 0);
  }

  @Property
  void a_stage_that_nobody_has_a_score_for_is_like_one_where_all_have_the_same(
      @ForAll("groups") double[][] scores, @ForAll @IntRange(max = 2) int stage) {
    double[][] missing = new double[scores.length][];
    double[][] equal = new double[scores.length][];
    for (int i = 0; i < scores.length; i++) {
      missing[i] = scores[i].clone();
      missing[i][3] = Double.isNaN(missing[i][3]) ? 0 : missing[i][3];
      equal[i] = missing[i].clone();
      missing[i][stage] = Double.NaN;
      equal[i][stage] = 1;
    }
    StageAdvantages advantages = new StageAdvantages(Credit.PAPER);
    same(advantages.ofGroup(equal), advantages.ofGroup(missing), 1e-7);
  }

  @Property
  void with_the_unit_matrix_a_stage_is_credited_with_itself_alone(
      @ForAll("groups") double[][] scores) {
    Credit local =
        new Credit(
            Credit.Mode.STAGES,
            List.of(
                List.of(1.0, 0.0, 0.0, 0.0), List.of(0.0, 1.0, 0.0, 0.0),
                List.of(0.0, 0.0, 1.0, 0.0), List.of(0.0, 0.0, 0.0, 1.0)),
            Credit.Scale.GROUP_STD, 1e-8, 1e-6, false, Credit.Unit.RETURNS, 2);
    double[][] others = new double[scores.length][];
    for (int i = 0; i < scores.length; i++) {
      others[i] = scores[i].clone();
      others[i][0] = 1 - others[i][0];
    }
    GroupAdvantages before = new StageAdvantages(local).ofGroup(scores);
    GroupAdvantages after = new StageAdvantages(local).ofGroup(others);
    for (int i = 0; i < scores.length; i++) {
      assertEquals(before.of(i)[0], -after.of(i)[0], 1e-9);
      for (int k = 1; k < 4; k++) {
        assertEquals(before.of(i)[k], after.of(i)[k], 0);
      }
    }
  }

  @Property
  void the_order_of_a_group_means_nothing(
      @ForAll("groups") double[][] scores, @ForAll("credits") Credit credit) {
    double[][] reversed = new double[scores.length][];
    Arrays.setAll(reversed, i -> scores[scores.length - 1 - i]);
    GroupAdvantages forward = new StageAdvantages(credit).ofGroup(scores);
    GroupAdvantages backward = new StageAdvantages(credit).ofGroup(reversed);
    for (int i = 0; i < scores.length; i++) {
      assertArrayEquals(forward.of(i), backward.of(scores.length - 1 - i), 1e-9);
    }
  }

  private static void same(GroupAdvantages a, GroupAdvantages b, double tolerance) {
    for (int i = 0; i < a.size(); i++) {
      assertEquals(a.trained(i), b.trained(i));
      assertArrayEquals(a.of(i), b.of(i), tolerance);
    }
  }
}
