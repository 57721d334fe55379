package rubricem.gpu.loss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.OffPolicyMasking;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.protocol.learning.SequenceRejection;
import rubricem.protocol.learning.TokenSelection;
import rubricem.protocol.learning.TrainRollout;

/** Laws of the loss, for every combination of options and steps made by chance. */
class SurrogateLossProperties {
  private static final double STEP = 1e-5;

  @Provide
  Arbitrary<LearnerOptions> options() {
    Arbitrary<Aggregation> aggregations =
        Arbitraries.of(
            new Aggregation.TokenMean(), new Aggregation.SequenceMean(),
            new Aggregation.ConstantDivisor(37));
    Arbitrary<Objective> objectives =
        Arbitraries.of(
            new Objective.Clipped(.2, .28),
            new Objective.Gspo(.05, .08, Objective.RatioUnit.ROLLOUT),
            new Objective.Gspo(.05, .08, Objective.RatioUnit.STAGE),
            new Objective.Cispo(.3, .28));
    Arbitrary<KlPenalty> penalties =
        Arbitraries.of(
            KlPenalty.NONE,
            new KlPenalty(.3, KlPenalty.Estimator.K1, false, 10),
            new KlPenalty(.3, KlPenalty.Estimator.K2, false, 10),
            new KlPenalty(.3, KlPenalty.Estimator.K3, false, .4),
            new KlPenalty(.3, KlPenalty.Estimator.K3, false, 10),
            new KlPenalty(.3, KlPenalty.Estimator.K3, true, 10));
    Arbitrary<SamplerCorrection> corrections =
        Arbitraries.of(
            new SamplerCorrection.None(), new SamplerCorrection.TokenTruncated(1.2),
            new SamplerCorrection.SequenceTruncated(1.2), new SamplerCorrection.Masked(.7, 1.3),
            new SamplerCorrection.ProbabilityDifference(.1));
    Arbitrary<SequenceRejection> rejections =
        Arbitraries.of(
            SequenceRejection.NONE,
            new SequenceRejection(SequenceRejection.Statistic.SEQUENCE, .3, 3, 0),
            new SequenceRejection(SequenceRejection.Statistic.GEOMETRIC, .8, 1.2, 0),
            new SequenceRejection(SequenceRejection.Statistic.NONE, 1, 1, .5));
    Arbitrary<OffPolicyMasking> masking =
        Arbitraries.of(new OffPolicyMasking.None(), new OffPolicyMasking.Above(.05));
    Arbitrary<TokenSelection> selections =
        Arbitraries.of(
            TokenSelection.ALL, new TokenSelection(true, true, 1),
            new TokenSelection(false, false, .3));
    return Combinators.combine(
            aggregations, objectives, penalties, corrections, rejections, masking, selections)
        .as((a, o, k, c, r, m, s) ->
            LearnerOptions.paper().with(a).with(o).with(k).with(c).with(r).with(m).with(s));
  }

  private record Step(
      List<TrainRollout> rollouts, double[][] logProbs, double[][] entropies, StepPlan plan) {}

  private static Step step(LearnerOptions options, long seed) {
    Random random = new Random(seed);
    List<TrainRollout> rollouts = new ArrayList<>();
    double[][] logProbs = new double[8][];
    double[][] entropies = new double[8][];
    for (int r = 0; r < 8; r++) {
      int length = 1 + random.nextInt(9);
      byte[] stage = new byte[length];
      for (int t = 0; t < length; t++) {
        stage[t] = (byte) random.nextInt(5);
      }
      double[] old = near(random, uniform(random, length), 0);
      double[] advantages = random.doubles(4, -2, 2).toArray();
      if (r >= 6) {
        Arrays.fill(advantages, 0);
      }
      rollouts.add(
          new TrainRollout(
              "group-" + r / 2, "rollout-" + r, 0, new int[] {1}, new int[length], stage,
              near(random, old, .3), old, near(random, old, .5), advantages, r == 3));
      logProbs[r] = near(random, old, .3);
      entropies[r] = random.doubles(length, 0, 3).toArray();
    }
    return new Step(
        rollouts, logProbs, entropies, StepPlan.of(options, 0, rollouts, entropies));
  }

  private static double[] uniform(Random random, int length) {
    return random.doubles(length, -3, -.5).toArray();
  }

  private static double[] near(Random random, double[] center, double width) {
    return Arrays.stream(center).map(c -> c + width * random.nextGaussian()).toArray();
  }

  private static MicroBatch batch(Step step, int from, int to) {
    int[] indices = new int[to - from];
    Arrays.setAll(indices, i -> from + i);
    return new MicroBatch(
        indices, Arrays.copyOfRange(step.logProbs(), from, to),
        Arrays.copyOfRange(step.entropies(), from, to));
  }

  private static LossPart whole(Step step) {
    return new SurrogateLoss(step.plan()).of(batch(step, 0, 8));
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void the_loss_is_what_its_formula_says(@ForAll("options") LearnerOptions o, @ForAll long seed) {
    Step step = step(o, seed);
    double formula = new FrozenLoss(step.plan(), step.logProbs()).of(step.logProbs());
    assertEquals(formula, whole(step).loss(), 1e-11);
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void derivatives_are_those_of_central_differences(
      @ForAll("options") LearnerOptions o, @ForAll long seed) {
    Step step = step(o, seed);
    FrozenLoss loss = new FrozenLoss(step.plan(), step.logProbs());
    double[][] slopes = whole(step).slopes();
    int kinks = 0;
    for (int r = 0; r < 8; r++) {
      int tokens = 0;
      for (int t = 0; t < slopes[r].length; t++) {
        tokens +=
            compare(
                loss.of(moved(step.logProbs(), r, t, -STEP)), loss.of(step.logProbs()),
                loss.of(moved(step.logProbs(), r, t, STEP)), slopes[r][t]);
      }
      // one ratio of several tokens brings all of them to its kink
      kinks += o.objective() instanceof Objective.Gspo ? Math.min(1, tokens) : tokens;
    }
    assertTrue(kinks <= 2, kinks + " ratios were not compared, with " + o);
  }

  /** Within a step of a kink the two sides differ and there is no derivative: that gives 1. */
  private static int compare(double down, double here, double up, double slope) {
    if (Math.abs((up - here) - (here - down)) > 1e-4 * STEP) {
      return 1;
    }
    assertEquals((up - down) / (2 * STEP), slope, 6e-5);
    return 0;
  }

  private static double[][] moved(double[][] x, int r, int t, double by) {
    double[][] moved = x.clone();
    moved[r] = x[r].clone();
    moved[r][t] += by;
    return moved;
  }

  /** With one ratio for one advantage, GSPO's own gradients are those of its whole formula. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void gspo_by_stage_has_the_derivative_of_its_unfrozen_formula(@ForAll long seed) {
    LearnerOptions options =
        LearnerOptions.paper().with(KlPenalty.NONE)
            .with(new Objective.Gspo(.5, .5, Objective.RatioUnit.STAGE));
    Step step = step(options, seed);
    double[][] slopes = whole(step).slopes();
    int kinks = 0;
    for (int r = 0; r < 8; r++) {
      for (int t = 0; t < slopes[r].length; t++) {
        double[][] above = moved(step.logProbs(), r, t, STEP);
        double[][] below = moved(step.logProbs(), r, t, -STEP);
        double up = new FrozenLoss(step.plan(), above).of(above);
        double down = new FrozenLoss(step.plan(), below).of(below);
        double here = new FrozenLoss(step.plan(), step.logProbs()).of(step.logProbs());
        kinks += compare(down, here, up, slopes[r][t]);
      }
    }
    assertTrue(kinks <= 8, kinks + " tokens were not compared");
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void L40_cutting_a_step_into_1_2_5_or_8_parts_changes_nothing(
      @ForAll("options") LearnerOptions o, @ForAll long seed) {
    Step step = step(o, seed);
    LossPart whole = whole(step);
    for (int parts : new int[] {1, 2, 5, 8}) {
      double loss = 0;
      LossSums sums = LossSums.NONE;
      for (int p = 0; p < parts; p++) {
        int from = 8 * p / parts;
        int to = 8 * (p + 1) / parts;
        LossPart part = new SurrogateLoss(step.plan()).of(batch(step, from, to));
        loss += part.loss();
        sums = sums.merge(part.sums());
        for (int r = from; r < to; r++) {
          assertArrayEquals(whole.slopes()[r], part.slopes()[r - from], 1e-12);
        }
      }
      assertEquals(whole.loss(), loss, 1e-12);
      assertEquals(whole.sums().tokens(), sums.tokens());
      assertEquals(whole.sums().clipShare(), sums.clipShare(), 1e-15);
      assertEquals(whole.sums().ratio().spread(), sums.ratio().spread(), 1e-12);
      assertEquals(whole.sums().entropy().mean(), sums.entropy().mean(), 1e-12);
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void L30_tool_text_has_a_slope_of_exactly_zero_and_no_say_in_any_loss(
      @ForAll("options") LearnerOptions o, @ForAll long seed, @ForAll long noise) {
    Step step = step(o, seed);
    LossPart before = whole(step);
    Random random = new Random(noise);
    List<TrainRollout> others = new ArrayList<>();
    double[][] logProbs = new double[8][];
    for (int r = 0; r < 8; r++) {
      TrainRollout own = step.rollouts().get(r);
      logProbs[r] = elsewhere(random, own, step.logProbs()[r]);
      others.add(
          new TrainRollout(
              own.group(), own.id(), 0, own.promptIds(), own.responseIds(), own.stage(),
              elsewhere(random, own, own.samplerLogProbs()),
              elsewhere(random, own, own.oldLogProbs()),
              elsewhere(random, own, own.referenceLogProbs()), own.advantages(),
              own.truncated()));
    }
    StepPlan plan = StepPlan.of(o, 0, others, step.entropies());
    LossPart after = whole(new Step(others, logProbs, step.entropies(), plan));
    assertEquals(before.loss(), after.loss(), 0);
    for (int r = 0; r < 8; r++) {
      assertArrayEquals(before.slopes()[r], after.slopes()[r], 0);
      for (int t = 0; t < logProbs[r].length; t++) {
        assertTrue(others.get(r).stage()[t] != 0 || after.slopes()[r][t] == 0);
      }
    }
  }

  private static double[] elsewhere(Random random, TrainRollout rollout, double[] values) {
    double[] odd = {-5 * random.nextDouble(), Double.NaN, Double.NEGATIVE_INFINITY};
    double[] changed = values.clone();
    for (int t = 0; t < changed.length; t++) {
      changed[t] = rollout.stage()[t] == 0 ? odd[random.nextInt(3)] : changed[t];
    }
    return changed;
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void every_sampled_token_is_trained_or_counted_under_one_reason(
      @ForAll("options") LearnerOptions o, @ForAll long seed) {
    StepCounts c = step(o, seed).plan().counts();
    assertEquals(
        c.sampledTokens(),
        c.trainedTokens() + c.flatTokens() + c.truncatedTokens() + c.staleTokens()
            + c.nonFiniteTokens() + c.rejectedTokens());
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void losses_and_slopes_stay_finite_however_far_policies_are_apart(
      @ForAll("options") LearnerOptions o, @ForAll long seed) {
    Step near = step(o, seed);
    double[][] far = new double[8][];
    for (int r = 0; r < 8; r++) {
      far[r] = Arrays.stream(near.logProbs()[r]).map(x -> x * 400).toArray();
    }
    LossPart part =
        whole(new Step(near.rollouts(), far, near.entropies(), near.plan()));
    assertTrue(part.finite());
    for (double[] row : part.slopes()) {
      assertTrue(Arrays.stream(row).allMatch(Double::isFinite));
    }
  }
}
