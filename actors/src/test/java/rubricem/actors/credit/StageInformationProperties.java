package rubricem.actors.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * What the paper proves of knowing the stage (E.1): the best policy that sees it is never worse
 * than the best that does not, and by exactly how much. Best policies are found by trying all.
 */
class StageInformationProperties {
  private static final int CONTEXTS = 2;
  private static final int STAGES = 3;
  private static final int ACTIONS = 3;

  /** A world of utilities q(c, z, a), with how likely each context and stage is. */
  private record World(double[] context, double[][] stage, double[][][] utility) {

    static World of(long seed) {
      Random random = new Random(seed);
      double[][] stage = new double[CONTEXTS][];
      double[][][] utility = new double[CONTEXTS][STAGES][];
      for (int c = 0; c < CONTEXTS; c++) {
        stage[c] = shares(random, STAGES);
        for (int z = 0; z < STAGES; z++) {
          utility[c][z] = random.doubles(ACTIONS, -1, 1).toArray();
        }
      }
      return new World(shares(random, CONTEXTS), stage, utility);
    }

    private static double[] shares(Random random, int n) {
      double[] weights = random.doubles(n, .1, 1).toArray();
      double sum = Arrays.stream(weights).sum();
      return Arrays.stream(weights).map(w -> w / sum).toArray();
    }

    /** The value of a policy, given as an action for each context and stage. */
    double value(int[][] policy) {
      double value = 0;
      for (int c = 0; c < CONTEXTS; c++) {
        for (int z = 0; z < STAGES; z++) {
          value += context[c] * stage[c][z] * utility[c][z][policy[c][z]];
        }
      }
      return value;
    }

    /** Lemma 1: what an action is worth to who does not see the stage. */
    double mixed(int c, int action) {
      double value = 0;
      for (int z = 0; z < STAGES; z++) {
        value += stage[c][z] * utility[c][z][action];
      }
      return value;
    }

    double gap(int c) {
      double seeing = 0;
      for (int z = 0; z < STAGES; z++) {
        seeing += stage[c][z] * Arrays.stream(utility[c][z]).max().orElseThrow();
      }
      double blind = Double.NEGATIVE_INFINITY;
      for (int a = 0; a < ACTIONS; a++) {
        blind = Math.max(blind, mixed(c, a));
      }
      return seeing - blind;
    }

    double expectedGap() {
      double gap = 0;
      for (int c = 0; c < CONTEXTS; c++) {
        gap += context[c] * gap(c);
      }
      return gap;
    }

    /** @param seesStage whether policies may act differently in different stages */
    double best(boolean seesStage) {
      int choices = seesStage ? CONTEXTS * STAGES : CONTEXTS;
      double best = Double.NEGATIVE_INFINITY;
      for (int code = 0; code < Math.pow(ACTIONS, choices); code++) {
        int rest = code;
        int[][] policy = new int[CONTEXTS][STAGES];
        for (int i = 0; i < choices; i++, rest /= ACTIONS) {
          if (seesStage) {
            policy[i / STAGES][i % STAGES] = rest % ACTIONS;
          } else {
            Arrays.fill(policy[i], rest % ACTIONS);
          }
        }
        best = Math.max(best, value(policy));
      }
      return best;
    }
  }

  @Property(tries = 100)
  void seeing_the_stage_gains_exactly_the_expected_gap_and_never_loses(@ForAll long seed) {
    World world = World.of(seed);
    double gain = world.best(true) - world.best(false);
    assertEquals(world.expectedGap(), gain, 1e-12);
    assertTrue(gain >= -1e-12);
  }

  @Property(tries = 100)
  void who_does_not_see_the_stage_meets_the_mixture_of_its_utilities(@ForAll long seed) {
    World world = World.of(seed);
    for (int a = 0; a < ACTIONS; a++) {
      int[][] always = new int[CONTEXTS][STAGES];
      for (int[] row : always) {
        Arrays.fill(row, a);
      }
      double mixed = 0;
      for (int c = 0; c < CONTEXTS; c++) {
        mixed += world.context()[c] * world.mixed(c, a);
      }
      assertEquals(world.value(always), mixed, 1e-12);
    }
  }

  @Property(tries = 100)
  void one_action_that_is_best_in_every_stage_makes_the_gap_zero(@ForAll long seed) {
    World world = World.of(seed);
    for (double[][] context : world.utility()) {
      for (double[] stage : context) {
        stage[1] = 2;
      }
    }
    assertEquals(0, world.best(true) - world.best(false), 1e-12);
  }

  @Property(tries = 100)
  void two_stages_with_different_best_actions_make_it_strict(@ForAll long seed) {
    World world = World.of(seed);
    world.utility()[0][0] = new double[] {1, 0, 0};
    world.utility()[0][1] = new double[] {0, 1, 0};
    assertTrue(world.best(true) > world.best(false) + 1e-3);
  }

  @Test
  void a_gap_worked_by_hand_comes_out() {
    World world =
        new World(
            new double[] {1, 0},
            new double[][] {{.5, .5, 0}, {1, 0, 0}},
            new double[][][] {
              {{1, 0, .6}, {0, 1, .6}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}
            });
    assertEquals(.4, world.best(true) - world.best(false), 1e-12);
  }
}
