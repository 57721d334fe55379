package rubricem.actors.credit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import rubricem.protocol.learning.Credit;
import rubricem.testkit.Shared;

class StageAdvantagesTest {
  private static final double NO = Double.NaN;
  private static final double[][] SPECIFIED = {
    {.50, .25, 1.00, .75}, {1.00, .50, .50, .50}, {.25, .75, .00, .25}, {.75, 1.00, .75, 1.00}
  };

  private static Credit credit(Credit.Mode mode, Credit.Scale scale, boolean leaveOneOut) {
    return new Credit(
        mode, Credit.PAPER_WEIGHTS, scale, 1e-8, 1e-6, leaveOneOut, Credit.Unit.RETURNS, 2);
  }

  private static GroupAdvantages paper(double[][] scores) {
    return new StageAdvantages(Credit.PAPER).ofGroup(scores);
  }

  private static double[][] rows(GroupAdvantages group) {
    double[][] rows = new double[group.size()][];
    Arrays.setAll(rows, group::of);
    return rows;
  }

  private static void assertRows(double[][] expected, double[][] actual, double tolerance) {
    assertEquals(expected.length, actual.length);
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], actual[i], tolerance, "row " + i);
    }
  }

  @Test
  void the_returns_of_the_specification_come_out() {
    double[][] returns = new double[4][];
    Arrays.setAll(returns, i -> StageReturns.of(StageWeights.paper(), SPECIFIED[i]));
    assertRows(
        new double[][] {
          {1.80, 1.25, 1.60, .75}, {1.90, 1.10, .90, .50}, {.75, .95, .20, .25},
          {2.40, 2.10, 1.55, 1.00}
        },
        returns, 1e-12);
  }

  @Test
  void L35_the_advantages_of_the_specification_come_out_stage_by_stage() {
    assertRows(
        new double[][] {
          {.145738, -.224309, .943973, .447214}, {.312297, -.560772, -.285387, -.447214},
          {-1.603123, -.897235, -1.514747, -1.341641}, {1.145088, 1.682316, .856161, 1.341641}
        },
        rows(paper(SPECIFIED)), 5e-7);
  }

  @Test
  void terminal_mode_gives_every_stage_the_answers_advantage() {
    double[][] rows =
        rows(
            new StageAdvantages(credit(Credit.Mode.TERMINAL, Credit.Scale.GROUP_STD, false))
                .ofGroup(SPECIFIED));
    double[] answers = {.447214, -.447214, -1.341641, 1.341641};
    for (int i = 0; i < 4; i++) {
      double[] same = new double[4];
      Arrays.fill(same, answers[i]);
      assertArrayEquals(same, rows[i], 5e-7);
    }
  }

  @Test
  void the_handed_returns_and_advantages_come_out() {
    JsonNode groups = Shared.goldenJson("ssgrpo.json").get("groups");
    assertEquals(2, groups.size());
    for (JsonNode group : groups) {
      JsonNode rollouts = group.get("rollouts");
      double[][] scores = new double[rollouts.size()][];
      double[][] expected = new double[rollouts.size()][];
      for (int i = 0; i < scores.length; i++) {
        JsonNode rollout = rollouts.get(i);
        scores[i] = Shared.doubles(rollout.get("stage_scores"));
        expected[i] = Shared.doubles(rollout.get("advantages"));
        assertArrayEquals(
            Shared.doubles(rollout.get("returns")),
            StageReturns.of(StageWeights.paper(), scores[i]), 1e-12);
      }
      assertRows(expected, rows(paper(scores)), 1e-9);
    }
  }

  @Test
  void L37_equal_rewards_give_exactly_zero_whatever_their_sum_rounds_to() {
    for (double value : new double[] {0.1, 0.35, 0.4, 1.0 / 3, 0.7}) {
      for (int n = 2; n <= 16; n++) {
        double[][] scores = new double[n][4];
        for (double[] row : scores) {
          Arrays.fill(row, value);
        }
        GroupAdvantages group = paper(scores);
        assertTrue(group.flat());
        assertRows(new double[n][4], rows(group), 0);
      }
    }
  }

  @Test
  void L37_a_spread_of_rounding_noise_is_no_spread_and_a_small_real_one_is() {
    double[][] noise = new double[8][4];
    double[][] small = new double[8][4];
    for (int i = 0; i < 8; i++) {
      Arrays.fill(noise[i], 0.1);
      Arrays.fill(small[i], 0.35);
    }
    Arrays.fill(noise[7], Math.nextUp(0.1));
    Arrays.fill(small[7], 0.35 + 1e-4);
    for (boolean leaveOneOut : new boolean[] {false, true}) {
      for (Credit.Scale scale : Credit.Scale.values()) {
        StageAdvantages advantages =
            new StageAdvantages(credit(Credit.Mode.STAGES, scale, leaveOneOut));
        assertRows(new double[8][4], rows(advantages.ofGroup(noise)), 0);
        GroupAdvantages real = advantages.ofGroup(small);
        assertFalse(real.flat());
        double others = leaveOneOut ? 8.0 / 7 : 1;
        assertTrue(real.of(7)[3] > 0 && real.of(7)[3] <= others * Math.sqrt(7) + 1e-9);
      }
    }
    assertEquals(Math.sqrt(7), paper(small).of(7)[3], 1e-3);
  }

  @Test
  void leave_one_out_compares_with_the_mean_of_the_others() {
    double[][] rows =
        rows(
            new StageAdvantages(credit(Credit.Mode.STAGES, Credit.Scale.NONE, true))
                .ofGroup(SPECIFIED));
    double others = (.50 + .25 + 1.00) / 3;
    assertEquals(.75 - others, rows[0][3], 1e-12);
  }

  @Test
  void the_batchs_spread_scales_all_groups_and_flatness_stays_the_groups_own() {
    double[][] flat = new double[4][4];
    double[][] halves = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}};
    StageAdvantages advantages =
        new StageAdvantages(credit(Credit.Mode.STAGES, Credit.Scale.BATCH_STD, false));
    List<GroupAdvantages> groups = advantages.ofBatch(List.of(flat, halves));
    assertTrue(groups.get(0).flat());
    assertEquals(.5 / Math.sqrt(.125), groups.get(1).of(2)[3], 1e-7);
  }

  @Test
  void scores_normalised_one_by_one_are_then_added_up() {
    Credit each =
        new Credit(
            Credit.Mode.STAGES, Credit.PAPER_WEIGHTS, Credit.Scale.GROUP_STD, 0, 1e-6, false,
            Credit.Unit.STAGE_SCORES, 2);
    double[][] scores = {{0, .5, 0, 0}, {1, .5, 0, .1}};
    double[][] rows = rows(new StageAdvantages(each).ofGroup(scores));
    assertRows(new double[][] {{-1.8, -.8, -.8, -1}, {1.8, .8, .8, 1}}, rows, 1e-12);
  }

  @Test
  void an_unscored_rollout_leaves_mean_and_spread() {
    double[][] with = Arrays.copyOf(SPECIFIED, 5);
    with[4] = new double[] {NO, NO, NO, NO};
    GroupAdvantages group = paper(with);
    assertFalse(group.trained(4));
    assertArrayEquals(new double[4], group.of(4));
    for (int i = 0; i < 4; i++) {
      assertTrue(group.trained(i));
      assertArrayEquals(paper(SPECIFIED).of(i), group.of(i), 0);
    }
  }

  @Test
  void only_the_answer_scored_takes_the_stages_mean_and_earns_nothing_by_it() {
    double[][] with = {{.2, .4, .6, .5}, {.6, .8, .2, .5}, {NO, NO, NO, .5}};
    double[] row = paper(with).of(2);
    assertArrayEquals(new double[4], row, 1e-9);
    assertTrue(paper(with).trained(2));
  }

  @Test
  void without_the_answers_score_where_others_have_one_a_rollout_is_no_member() {
    double[][] scores = {{.2, .4, .6, .5}, {.6, .8, .2, .1}, {.5, .5, .5, NO}};
    assertFalse(paper(scores).trained(2));
  }

  @Test
  void L24_a_stage_without_any_rubric_credits_nobody() {
    double[][] scores = {{NO, NO, NO, .2}, {NO, NO, NO, .8}};
    double[][] rows = rows(paper(scores));
    assertRows(new double[][] {{-1, -1, -1, -1}, {1, 1, 1, 1}}, rows, 1e-6);
    double[][] noAnswers = {{.2, .2, .2, NO}, {.8, .2, .2, NO}};
    GroupAdvantages group = paper(noAnswers);
    assertArrayEquals(new double[] {1, 0, 0, 0}, group.of(1), 1e-6);
    assertTrue(group.flat(3) && group.trained(0));
  }

  @Test
  void fewer_scored_rollouts_than_asked_for_skip_the_group() {
    double[][] scores = {{.2, .4, .6, .5}, {NO, NO, NO, NO}};
    GroupAdvantages group = paper(scores);
    assertTrue(group.skipped() && group.flat());
    assertFalse(group.trained(0));
    assertTrue(paper(new double[0][4]).skipped());
  }

  @Test
  void a_score_outside_0_to_1_is_refused_and_never_clamped() {
    for (double wrong : new double[] {-0.1, 1.5, 7, Double.POSITIVE_INFINITY}) {
      double[][] scores = {{wrong, 0, 0, 0}, {0, 0, 0, 0}};
      assertThrows(
          IllegalArgumentException.class, () -> paper(scores));
    }
  }
}
