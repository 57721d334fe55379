package rubricem.gpu.loss;

import org.jspecify.annotations.Nullable;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.TrainRollout;

/**
 * The loss of SS-GRPO and its variants over the plan of one step: for each micro-batch its part of
 * the loss and the derivative with respect to every log-probability. Advantages, weights, old and
 * reference log-probabilities are constants. Tokens that the plan leaves out are not even read, so
 * whatever stands there changes nothing.
 */
public final class SurrogateLoss {
  private final StepPlan plan;
  private final LearnerOptions options;

  public SurrogateLoss(StepPlan plan) {
    this.plan = plan;
    this.options = plan.options();
  }

  public LossPart of(MicroBatch batch) {
    double[][] slopes = new double[batch.rollouts().length][];
    LossSums sums = LossSums.NONE;
    for (int i = 0; i < slopes.length; i++) {
      double[][] entropies = batch.entropies();
      Pass pass =
          new Pass(
              plan.plan(batch.rollouts()[i]), batch.logProbs()[i],
              entropies == null ? null : entropies[i]);
      sums = sums.merge(pass.sums());
      slopes[i] = pass.slopes;
    }
    return new LossPart(sums.policyLoss() + sums.klLoss(), slopes, sums);
  }

  /** One rollout under the policy as it is now. */
  private final class Pass {
    private final RolloutPlan rollout;
    private final double[] logProbs;
    private final double @Nullable [] entropies;
    private final double @Nullable [] reference;
    private final double[] slopes;
    private final double[] logRatios;
    private long nonFinite;
    private double policyLoss;
    private double klLoss;
    private long clippedLow;
    private long clippedHigh;
    private Moments ratios = Moments.NONE;
    private Moments kl3 = Moments.NONE;
    private Moments entropy = Moments.NONE;
    private long tokens;

    Pass(RolloutPlan rollout, double[] logProbs, double @Nullable [] entropies) {
      this.rollout = rollout;
      this.logProbs = logProbs;
      this.entropies = entropies;
      this.reference = rollout.rollout.referenceLogProbs();
      int length = rollout.kept.length;
      if (logProbs.length != length || (entropies != null && entropies.length != length)) {
        throw new IllegalArgumentException(
            "rollout " + rollout.rollout.id() + " has " + length + " response tokens and "
                + logProbs.length + " log-probabilities");
      }
      this.slopes = new double[length];
      this.logRatios = tokenLogRatios();
    }

    private boolean trained(int t) {
      return rollout.kept[t] && Double.isFinite(logProbs[t]);
    }

    private double[] tokenLogRatios() {
      double[] own = new double[slopes.length];
      for (int t = 0; t < own.length; t++) {
        if (trained(t)) {
          own[t] = rollout.old == null ? 0 : logProbs[t] - rollout.old[t];
        }
      }
      return own;
    }

    LossSums sums() {
      double[] used = objectiveLogRatios();
      for (int t = 0; t < slopes.length; t++) {
        if (trained(t)) {
          tokens++;
          policy(t, used[t]);
          penalty(t);
          if (entropies != null && Double.isFinite(entropies[t])) {
            entropy = entropy.merge(Moments.of(entropies[t]));
          }
        } else if (rollout.kept[t]) {
          nonFinite++;
        }
      }
      return new LossSums(
          tokens, policyLoss, klLoss, clippedLow, clippedHigh, ratios, kl3, entropy, nonFinite);
    }

    private double[] objectiveLogRatios() {
      return switch (options.objective()) {
        case Objective.Clipped clipped -> logRatios;
        case Objective.Cispo cispo -> logRatios;
        case Objective.Gspo gspo -> unitMeans(gspo.unit());
      };
    }

    private double[] unitMeans(Objective.RatioUnit unit) {
      double[] sums = new double[TrainRollout.STAGES + 1];
      long[] counts = new long[TrainRollout.STAGES + 1];
      for (int t = 0; t < slopes.length; t++) {
        if (trained(t)) {
          sums[unit(unit, t)] += logRatios[t];
          counts[unit(unit, t)]++;
        }
      }
      double[] means = new double[slopes.length];
      for (int t = 0; t < slopes.length; t++) {
        means[t] = trained(t) ? sums[unit(unit, t)] / counts[unit(unit, t)] : 0;
      }
      return means;
    }

    private int unit(Objective.RatioUnit unit, int t) {
      return switch (unit) {
        case ROLLOUT -> 0;
        case STAGE -> rollout.rollout.stage()[t];
      };
    }

    private void policy(int t, double logRatio) {
      Objective objective = options.objective();
      double ratio = LogRatios.ratio(logRatio);
      double advantage = rollout.rollout.advantageAt(t);
      double held = Math.clamp(ratio, 1 - objective.low(), 1 + objective.high());
      double share = rollout.scale * rollout.weight[t];
      ratios = ratios.merge(Moments.of(ratio));
      switch (objective) {
        case Objective.Cispo cispo -> {
          count(held > ratio, held < ratio);
          policyLoss -= share * held * advantage * logProbs[t];
          slopes[t] -= share * held * advantage;
        }
        case Objective.Clipped clipped -> pessimistic(t, logRatio, ratio, held, advantage, share);
        case Objective.Gspo gspo -> pessimistic(t, logRatio, ratio, held, advantage, share);
      }
    }

    private void pessimistic(
        int t, double logRatio, double ratio, double held, double advantage, double share) {
      boolean clip = held * advantage < ratio * advantage;
      count(clip && held > ratio, clip && held < ratio);
      policyLoss -= share * Math.min(ratio * advantage, held * advantage);
      slopes[t] -= clip ? 0 : share * ratio * advantage * LogRatios.flows(logRatio);
    }

    private void count(boolean low, boolean high) {
      clippedLow += low ? 1 : 0;
      clippedHigh += high ? 1 : 0;
    }

    private void penalty(int t) {
      if (reference == null || !Double.isFinite(reference[t])) {
        return;
      }
      KlPenalty kl = options.kl();
      double logRatio = logProbs[t] - reference[t];
      kl3 =
          kl3.merge(
              Moments.of(
                  KlEstimate.of(KlPenalty.Estimator.K3, logRatio, kl.logRatioMax()).value()));
      if (!kl.on()) {
        return;
      }
      KlEstimate estimate = KlEstimate.of(kl.estimator(), logRatio, kl.logRatioMax());
      double share = rollout.scale * kl.coefficient();
      if (kl.withScoreTerm()) {
        double ratio = LogRatios.ratio(logRatios[t]);
        double score = estimate.value() * LogRatios.flows(logRatios[t]);
        klLoss += share * ratio * estimate.value();
        slopes[t] += share * ratio * (estimate.slope() + score);
      } else {
        klLoss += share * estimate.value();
        slopes[t] += share * estimate.slope();
      }
    }
  }

  /** The plan whose step this is. */
  public StepPlan plan() {
    return plan;
  }
}
