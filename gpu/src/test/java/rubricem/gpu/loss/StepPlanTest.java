package rubricem.gpu.loss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.OffPolicyMasking;
import rubricem.protocol.learning.OldPolicy;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.protocol.learning.SequenceRejection;
import rubricem.protocol.learning.SequenceRejection.Statistic;
import rubricem.protocol.learning.TokenSelection;
import rubricem.protocol.learning.TrainRollout;

/** What a step is made of, settled before its first micro-batch. */
class StepPlanTest {
  private static final byte[] FIVE = {1, 1, 2, 4, 4};
  private static final double[] LOGP = {-1, -2, -1.5, -.5, -3};
  private static final LearnerOptions PLAIN = LearnerOptions.paper().with(KlPenalty.NONE);

  private static TrainRollout five(String id, double... advantages) {
    return Steps.rollout("q", id, FIVE, LOGP, advantages);
  }

  private static LossPart loss(LearnerOptions options, TrainRollout... rollouts) {
    return loss(StepPlan.of(options, 0, List.of(rollouts)));
  }

  private static LossPart loss(StepPlan plan) {
    double[][] logProbs = new double[plan.size()][];
    int[] all = new int[plan.size()];
    for (int r = 0; r < all.length; r++) {
      all[r] = r;
      logProbs[r] = plan.rollout(r).oldLogProbs();
    }
    return new SurrogateLoss(plan).of(new MicroBatch(all, logProbs));
  }

  private static double[] shifted(double... logRatios) {
    double[] sampler = LOGP.clone();
    for (int t = 0; t < sampler.length; t++) {
      sampler[t] -= logRatios[t];
    }
    return sampler;
  }

  @Test
  void L35_every_token_has_the_advantage_of_its_own_stage() {
    byte[] stage = {1, 1, 1, 2, 2, 0, 0, 2, 3, 4, 4, 4, 4};
    double[] logp = new double[stage.length];
    Arrays.fill(logp, -1);
    TrainRollout rollout = Steps.rollout("q", "a", stage, logp, .5, -1, 2, .25);
    double[] byHand = {.5, .5, .5, -1, -1, 0, 0, -1, 2, .25, .25, .25, .25};
    double[] read = new double[stage.length];
    Arrays.setAll(read, rollout::advantageAt);
    assertArrayEquals(byHand, read, 0);
    double[] slopes = loss(PLAIN, rollout).slopes()[0];
    for (int t = 0; t < stage.length; t++) {
      assertEquals(-byHand[t] / 11, slopes[t], 1e-15);
    }
  }

  @Test
  void L38_flat_groups_leave_loss_and_divisor_as_they_were() {
    TrainRollout first = five("a", 1, 0, 0, -1);
    TrainRollout second = five("b", -1, 0, 0, 1);
    TrainRollout flat = Steps.inGroup(five("c", 0, 0, 0, 0), "flat");
    TrainRollout flatToo = Steps.inGroup(five("d", 0, 0, 0, 0), "flat");
    for (KlPenalty kl : List.of(KlPenalty.NONE, LearnerOptions.paper().kl())) {
      LearnerOptions options = PLAIN.with(kl);
      LossPart without = loss(options, first, second);
      StepPlan plan = StepPlan.of(options, 0, List.of(first, second, flat, flatToo));
      LossPart with = loss(plan);
      assertEquals(without.loss(), with.loss(), 0);
      assertArrayEquals(without.slopes()[0], with.slopes()[0], 0);
      assertArrayEquals(new double[5], with.slopes()[2], 0);
      assertFalse(plan.trains(2));
      assertEquals(10, plan.counts().flatTokens());
      assertEquals(.5, plan.counts().flatGroupShare());
    }
  }

  @Test
  void L38_a_flat_group_kept_for_the_penalty_has_the_penalty_alone() {
    TrainRollout flat =
        five("c", 0, 0, 0, 0).withReference(new double[] {-2, -2, -2, -2, -2});
    LearnerOptions keeping = LearnerOptions.paper().with(new TokenSelection(true, false, 1));
    LossPart part = loss(keeping, flat);
    assertTrue(part.sums().klLoss() > 0);
    assertEquals(0, part.sums().policyLoss());
    assertTrue(StepPlan.of(keeping.with(KlPenalty.NONE), 0, List.of(flat)).skipped());
  }

  @Test
  void a_rollout_whose_stages_are_all_average_is_no_flat_group() {
    StepPlan plan = StepPlan.of(PLAIN, 0, List.of(five("a", 0, 0, 0, 0), five("b", 1, 0, 0, 0)));
    assertEquals(10, plan.counts().trainedTokens());
    assertEquals(0, plan.counts().flatGroups());
  }

  @Test
  void L39_a_step_of_truncated_rollouts_is_skipped_with_a_loss_of_zero() {
    TrainRollout cut = Steps.truncated(five("a", 1, 1, 1, 1));
    for (Aggregation how : aggregations()) {
      LearnerOptions options =
          LearnerOptions.paper().with(how).with(new TokenSelection(false, true, 1));
      StepPlan plan = StepPlan.of(options, 0, List.of(cut, cut));
      assertTrue(plan.skipped());
      assertEquals(10, plan.counts().truncatedTokens());
      assertEquals(1, plan.counts().truncatedShare());
      LossPart part = loss(plan);
      assertEquals(0, part.loss(), 0);
      assertArrayEquals(new double[5], part.slopes()[0], 0);
      assertTrue(part.finite());
    }
    assertEquals(0, loss(StepPlan.of(PLAIN, 0, List.of())).loss());
  }

  private static List<Aggregation> aggregations() {
    return List.of(
        new Aggregation.TokenMean(), new Aggregation.SequenceMean(),
        new Aggregation.ConstantDivisor(512));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NEGATIVE_INFINITY, Double.NaN, Double.POSITIVE_INFINITY})
  void L39_whatever_stands_at_a_token_that_is_not_trained_changes_nothing(double odd) {
    byte[] stage = {1, 0, 4};
    double[] plain = {-1, -2, -3};
    double[] withOdd = {-1, odd, -3};
    LearnerOptions paper = LearnerOptions.paper();
    LossPart expected = loss(paper, Steps.rollout("q", "a", stage, plain, 1, 0, 0, -1));
    LossPart part = loss(paper, Steps.rollout("q", "a", stage, withOdd, 1, 0, 0, -1));
    assertEquals(expected.loss(), part.loss(), 0);
    assertArrayEquals(expected.slopes()[0], part.slopes()[0], 0);
    assertTrue(part.finite());
  }

  @Test
  void L39_a_trained_token_without_a_number_under_the_policy_marks_the_step() {
    StepPlan plan = StepPlan.of(PLAIN, 0, List.of(five("a", 1, 1, 1, 1)));
    double[] broken = LOGP.clone();
    broken[3] = Double.NaN;
    LossPart part =
        new SurrogateLoss(plan).of(new MicroBatch(new int[] {0}, new double[][] {broken}));
    assertFalse(part.finite());
    assertEquals(1, part.sums().nonFiniteTokens());
    assertTrue(Double.isFinite(part.loss()) && part.slopes()[0][3] == 0);
  }

  @Test
  void L41_rejected_tokens_leave_the_divisor() {
    double[] sampler = shifted(0, 3, -3, 0, 3);
    TrainRollout rollout = Steps.withSampler(five("a", 1, 1, 1, 4), sampler);
    LearnerOptions masked = PLAIN.with(new SamplerCorrection.Masked(.5, 2));
    StepPlan plan = StepPlan.of(masked, 0, List.of(rollout));
    LossPart part = loss(plan);
    assertEquals(-(1 + 4) / 2.0, part.loss(), 1e-12);
    assertArrayEquals(new double[] {-.5, 0, 0, -2, 0}, part.slopes()[0], 1e-12);
    assertEquals(3, plan.counts().rejectedTokens());
    assertEquals(.6, plan.counts().rejectedShare(), 1e-12);
  }

  @Test
  void tokens_whose_probabilities_differ_too_much_are_rejected_and_the_rest_is_not_weighted() {
    double[] sampler = LOGP.clone();
    sampler[3] = -3;
    LearnerOptions options = PLAIN.with(new SamplerCorrection.ProbabilityDifference(.3));
    LossPart part = loss(options, Steps.withSampler(five("a", 1, 1, 1, 4), sampler));
    assertArrayEquals(new double[] {-.25, -.25, -.25, 0, -1}, part.slopes()[0], 1e-12);
  }

  @Test
  void truncated_weights_scale_the_policy_term_by_token_or_by_rollout() {
    TrainRollout rollout =
        Steps.withSampler(five("a", 1, 1, 1, 1), shifted(Math.log(1.5), 2, 0, 0, -Math.log(2)));
    double[] byToken =
        loss(PLAIN.with(new SamplerCorrection.TokenTruncated(2)), rollout).slopes()[0];
    assertArrayEquals(new double[] {-.3, -.4, -.2, -.2, -.1}, byToken, 1e-12);
    double[] byRollout =
        loss(PLAIN.with(new SamplerCorrection.SequenceTruncated(3)), rollout).slopes()[0];
    assertArrayEquals(new double[] {-.6, -.6, -.6, -.6, -.6}, byRollout, 1e-12);
  }

  @Test
  void rollouts_outside_the_band_are_rejected_whole() {
    TrainRollout near = Steps.withSampler(five("a", 1, 1, 1, 1), shifted(.1, 0, 0, 0, 0));
    TrainRollout far = Steps.withSampler(five("b", -1, 1, 1, 1), shifted(1, 1, 1, 1, 1));
    for (SequenceRejection band :
        List.of(
            new SequenceRejection(Statistic.SEQUENCE, .5, 2, 0),
            new SequenceRejection(Statistic.GEOMETRIC, .9, 1.1, 0))) {
      StepPlan plan = StepPlan.of(PLAIN.with(band), 0, List.of(near, far));
      assertTrue(plan.trains(0));
      assertFalse(plan.trains(1));
      assertEquals(5, plan.counts().rejectedTokens());
    }
  }

  @Test
  void one_token_that_the_learner_would_never_write_vetoes_its_rollout() {
    TrainRollout vetoed = Steps.withSampler(five("a", 1, 1, 1, 1), shifted(0, -12, 0, 0, 0));
    LearnerOptions veto = PLAIN.with(new SequenceRejection(Statistic.NONE, 1, 1, 1e-4));
    assertTrue(StepPlan.of(veto, 0, List.of(vetoed)).skipped());
    assertFalse(StepPlan.of(veto, 0, List.of(five("a", 1, 1, 1, 1))).skipped());
  }

  @Test
  void where_a_rollout_has_drifted_only_its_stages_of_negative_advantage_go() {
    LearnerOptions masking = PLAIN.with(new OffPolicyMasking.Above(.1));
    TrainRollout drifted =
        Steps.withSampler(five("a", -1, 1, 1, 1), shifted(-.5, -.5, -.5, -.5, -.5));
    double[] slopes = loss(masking, drifted).slopes()[0];
    assertArrayEquals(new double[] {0, 0, -1 / 3.0, -1 / 3.0, -1 / 3.0}, slopes, 1e-12);
    assertEquals(
        5, StepPlan.of(masking, 0, List.of(five("a", -1, 1, 1, 1))).counts().trainedTokens());
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.NEGATIVE_INFINITY})
  void L46_a_log_probability_of_the_sampler_that_is_no_number_drops_its_token(double odd) {
    double[] sampler = LOGP.clone();
    sampler[1] = odd;
    TrainRollout rollout = Steps.withSampler(five("a", 1, 1, 1, 1), sampler);
    for (SamplerCorrection correction :
        List.of(
            new SamplerCorrection.None(), new SamplerCorrection.TokenTruncated(2),
            new SamplerCorrection.SequenceTruncated(2), new SamplerCorrection.Masked(.5, 2),
            new SamplerCorrection.ProbabilityDifference(.3))) {
      StepPlan plan = StepPlan.of(PLAIN.with(correction), 0, List.of(rollout));
      LossPart part = loss(plan);
      assertEquals(1, plan.counts().nonFiniteTokens());
      assertTrue(part.finite());
      assertArrayEquals(new double[] {-.25, 0, -.25, -.25, -.25}, part.slopes()[0], 1e-12);
    }
    LearnerOptions bypass =
        PLAIN.with(new OldPolicy(OldPolicy.Source.RECORDED_SAMPLER, 1));
    assertEquals(-1, loss(StepPlan.of(bypass, 0, List.of(rollout))).loss(), 1e-12);
  }

  @Test
  void a_rollout_that_is_too_old_is_left_out_and_one_from_later_is_an_error() {
    TrainRollout rollout = five("a", 1, 1, 1, 1);
    StepPlan plan = StepPlan.of(
        PLAIN, 5,
        List.of(Steps.ofVersion(rollout, 2), Steps.ofVersion(rollout, 3),
            Steps.ofVersion(rollout, 5)));
    assertFalse(plan.trains(0));
    assertTrue(plan.trains(1) && plan.trains(2));
    assertEquals(5, plan.counts().staleTokens());
    assertArrayEquals(new long[] {1, 0, 1, 1, 0, 0, 0, 0}, plan.counts().lags());
    List<TrainRollout> later = List.of(Steps.ofVersion(rollout, 6));
    assertThrows(IllegalArgumentException.class, () -> StepPlan.of(PLAIN, 5, later));
  }

  @Test
  void only_the_share_of_highest_entropy_is_pushed_and_the_rest_keeps_its_penalty() {
    LearnerOptions options =
        LearnerOptions.paper().with(new TokenSelection(false, false, .4));
    TrainRollout rollout =
        five("a", 1, 1, 1, 1).withReference(new double[] {-2, -2, -2, -2, -2});
    double[][] entropies = {{.1, 3, .2, 2, Double.NaN}};
    StepPlan plan = StepPlan.of(options, 0, List.of(rollout), entropies);
    LossPart part = loss(plan);
    assertEquals(-.4, part.sums().policyLoss(), 1e-12);
    assertEquals(5, plan.counts().trainedTokens());
    double alone = .001 * -Math.expm1(-1) / 5;
    assertEquals(alone, part.slopes()[0][0], 1e-15);
    assertEquals(-.2 + 0, part.slopes()[0][1], 1e-12);
    assertThrows(
        IllegalArgumentException.class, () -> StepPlan.of(options, 0, List.of(rollout)));
  }

  @Test
  void what_the_options_need_and_a_rollout_lacks_is_named() {
    TrainRollout bare =
        new TrainRollout(
            "q", "bare", 0, new int[1], new int[5], FIVE, LOGP, null, null,
            new double[] {1, 1, 1, 1}, false);
    var noReference =
        assertThrows(
            IllegalArgumentException.class,
            () -> StepPlan.of(LearnerOptions.paper(), 0, List.of(bare)));
    assertTrue(noReference.getMessage().contains("kl.coefficient"));
    LearnerOptions twice = PLAIN.with(new OldPolicy(OldPolicy.Source.OWN_FIRST_PASS, 2));
    var noOld =
        assertThrows(
            IllegalArgumentException.class, () -> StepPlan.of(twice, 0, List.of(bare)));
    assertTrue(noOld.getMessage().contains("pass over the batch"));
    assertEquals(5, StepPlan.of(PLAIN, 0, List.of(bare)).counts().trainedTokens());
  }

  @Test
  void L42_with_equal_weights_every_ratio_is_one() {
    StepPlan plan =
        StepPlan.of(
            PLAIN.with(new SamplerCorrection.TokenTruncated(2)), 0,
            List.of(five("a", 1, 2, 3, 4)));
    LossPart part = loss(plan);
    assertEquals(1, part.sums().ratio().mean(), 0);
    assertEquals(0, part.sums().ratio().spread(), 0);
    assertEquals(-(1 + 1 + 2 + 4 + 4) / 5.0, part.loss(), 1e-12);
  }

  @Test
  void the_pass_that_is_differentiated_can_be_its_own_old_policy() {
    List<TrainRollout> bare = new ArrayList<>();
    TrainRollout full = five("a", 1, -1, 2, .5);
    bare.add(
        new TrainRollout(
            "q", "a", 0, full.promptIds(), full.responseIds(), FIVE, LOGP, null, null,
            full.advantages(), false));
    LossPart own =
        new SurrogateLoss(StepPlan.of(PLAIN, 0, bare))
            .of(new MicroBatch(new int[] {0}, new double[][] {LOGP}));
    assertEquals(loss(PLAIN, full).loss(), own.loss(), 0);
    assertArrayEquals(loss(PLAIN, full).slopes()[0], own.slopes()[0], 0);
  }
}
