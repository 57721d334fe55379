package rubricem.actors.credit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.actors.credit.TabularEpisodes.STAGES;
import static rubricem.actors.credit.TabularEpisodes.add;
import static rubricem.actors.credit.TabularEpisodes.distance;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import rubricem.protocol.learning.Credit;

/**
 * What the paper proves of stage credit (E.2), over a world small enough to add up all of it: how
 * far the learned direction lies from the one that true qualities would give.
 */
class JudgeAlignmentProperties {
  private static final StageWeights PAPER = StageWeights.paper();
  private static final int LAST = STAGES - 1;

  /** The three directions of a stage, and the quantities of the bounds. */
  private record Stage(
      double[] oracle, double[] staged, double[] terminal, double[] errors, double missed,
      double allowed) {}

  private static Stage stage(TabularEpisodes world, int k) {
    double[] oracle =
        world.expectation(k, e -> StageReturns.of(PAPER, e.quality())[k]);
    double[] errors = new double[STAGES];
    double allowed = 0;
    for (int j = 0; j < STAGES; j++) {
      int at = j;
      errors[j] = norm(world.expectation(k, e -> e.judged()[at] - e.quality()[at]));
      allowed += PAPER.weight(k, j) * errors[j];
    }
    return new Stage(
        oracle,
        world.expectation(k, e -> StageReturns.of(PAPER, e.judged())[k]),
        world.expectation(k, e -> StageReturns.of(StageWeights.terminal(), e.judged())[k]),
        errors,
        distance(world.expectation(k, e -> e.quality()[LAST]), oracle),
        allowed);
  }

  private static double norm(double[] vector) {
    return distance(vector, new double[vector.length]);
  }

  @Property(tries = 200)
  void bounds_1_to_3_hold_for_every_stage(
      @ForAll long seed, @ForAll @DoubleRange(max = .6) double noise) {
    TabularEpisodes world = new TabularEpisodes(seed, noise);
    for (int k = 0; k < STAGES; k++) {
      Stage s = stage(world, k);
      double staged = distance(s.staged(), s.oracle());
      double terminal = distance(s.terminal(), s.oracle());
      assertTrue(staged <= s.allowed() + 1e-12);
      assertTrue(terminal >= s.missed() - s.errors()[LAST] - 1e-12);
      if (s.allowed() < s.missed() - s.errors()[LAST]) {
        assertTrue(staged < terminal);
      }
    }
  }

  @Property(tries = 200)
  void corollary_1_bounds_the_error_by_that_of_the_judge(
      @ForAll long seed, @ForAll @DoubleRange(max = .6) double noise) {
    TabularEpisodes world = new TabularEpisodes(seed, noise);
    for (int k = 0; k < STAGES; k++) {
      int at = k;
      double score = world.mean(e -> Math.pow(norm(world.score(e, at)), 2));
      for (int j = 0; j < STAGES; j++) {
        int judged = j;
        double judge =
            world.mean(e -> Math.pow(e.judged()[judged] - e.quality()[judged], 2));
        assertTrue(
            stage(world, k).errors()[j] <= Math.sqrt(score) * Math.sqrt(judge) + 1e-12);
      }
    }
  }

  @Test
  void a_judge_that_is_always_right_makes_stage_credit_exact_and_terminal_credit_not() {
    TabularEpisodes world = new TabularEpisodes(7, 0);
    for (int k = 0; k < STAGES; k++) {
      Stage s = stage(world, k);
      assertEquals(0, distance(s.staged(), s.oracle()), 1e-15);
      boolean last = k == LAST;
      assertEquals(last, s.missed() < 1e-12);
      assertEquals(last, distance(s.terminal(), s.oracle()) < 1e-12);
    }
  }

  @Property(tries = 100)
  void a_stage_cannot_have_caused_what_came_before_it(@ForAll long seed) {
    TabularEpisodes world = new TabularEpisodes(seed, 0);
    for (int k = 1; k < STAGES; k++) {
      for (int j = 0; j < k; j++) {
        int earlier = j;
        assertEquals(0, norm(world.expectation(k, e -> e.quality()[earlier])), 1e-12);
      }
    }
  }

  /** The groups that are really trained: over all pairs of episodes, what they teach on average. */
  @Property(tries = 5)
  void leave_one_out_credit_teaches_the_staged_direction_and_the_mean_of_all_half_of_it(
      @ForAll long seed) {
    TabularEpisodes world = new TabularEpisodes(seed, .3);
    for (int k = 0; k < STAGES; k++) {
      double[] staged = stage(world, k).staged();
      assertArrayEquals(staged, taughtByPairs(world, k, true), 1e-6);
      double[] half = new double[staged.length];
      add(half, staged, .5);
      assertArrayEquals(half, taughtByPairs(world, k, false), 1e-6);
    }
  }

  private static double[] taughtByPairs(TabularEpisodes world, int k, boolean leaveOneOut) {
    StageAdvantages credit =
        new StageAdvantages(
            new Credit(
                Credit.Mode.STAGES, Credit.PAPER_WEIGHTS, Credit.Scale.NONE, 0, 1e-9,
                leaveOneOut, Credit.Unit.RETURNS, 2));
    double[] taught = new double[TabularEpisodes.ACTIONS * TabularEpisodes.ACTIONS];
    for (var a : world.all()) {
      for (var b : world.all()) {
        GroupAdvantages pair = credit.ofGroup(new double[][] {a.judged(), b.judged()});
        double p = a.probability() * b.probability();
        add(taught, world.score(a, k), p * pair.of(0)[k] / 2);
        add(taught, world.score(b, k), p * pair.of(1)[k] / 2);
      }
    }
    return taught;
  }
}
