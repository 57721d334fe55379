package rubricem.gpu.loss;

import java.util.Objects;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.OffPolicyMasking;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.protocol.learning.SequenceRejection;

/**
 * Compares old policy and sampler over one rollout, rejects what lies too far apart and weights the
 * rest. A rejected token is no token of the step any more: it has no loss, no penalty and no part
 * in any divisor. Statistics of the rollout are those of all its finite tokens, before any is
 * rejected.
 */
final class Rejections {
  private final LearnerOptions options;

  Rejections(LearnerOptions options) {
    this.options = options;
  }

  void apply(RolloutPlan plan) {
    double[] old = Objects.requireNonNull(plan.old);
    double[] sampler = plan.rollout.samplerLogProbs();
    double sum = 0;
    double lowest = Double.POSITIVE_INFINITY;
    int n = 0;
    for (int t = 0; t < plan.kept.length; t++) {
      if (plan.kept[t]) {
        double logRatio = old[t] - sampler[t];
        sum += logRatio;
        lowest = Math.min(lowest, logRatio);
        n++;
      }
    }
    if (n == 0) {
      return;
    }
    if (rejected(sum, sum / n, lowest)) {
      plan.leaveOut();
      return;
    }
    maskDrifted(plan, -sum / n);
    correct(plan, old, sampler, LogRatios.ratio(sum));
  }

  private boolean rejected(double sum, double mean, double lowest) {
    SequenceRejection rule = options.rejection();
    boolean vetoed = rule.veto() > 0 && LogRatios.ratio(lowest) < rule.veto();
    return vetoed
        || switch (rule.statistic()) {
          case NONE -> false;
          case SEQUENCE -> outside(LogRatios.ratio(sum), rule.low(), rule.high());
          case GEOMETRIC -> outside(LogRatios.ratio(mean), rule.low(), rule.high());
        };
  }

  private static boolean outside(double value, double low, double high) {
    return value < low || value > high;
  }

  private void maskDrifted(RolloutPlan plan, double meanLogRatio) {
    switch (options.offPolicy()) {
      case OffPolicyMasking.None none -> {}
      case OffPolicyMasking.Above above -> {
        for (int t = 0; t < plan.kept.length; t++) {
          boolean pushedDown = plan.rollout.advantageAt(t) < 0;
          plan.kept[t] &= !(pushedDown && meanLogRatio > above.meanLogRatio());
        }
      }
    }
  }

  private void correct(RolloutPlan plan, double[] old, double[] sampler, double sequenceRatio) {
    for (int t = 0; t < plan.kept.length; t++) {
      if (!plan.kept[t]) {
        continue;
      }
      double ratio = LogRatios.ratio(old[t] - sampler[t]);
      switch (options.correction()) {
        case SamplerCorrection.None none -> {}
        case SamplerCorrection.TokenTruncated tis -> plan.weight[t] = Math.min(ratio, tis.cap());
        case SamplerCorrection.SequenceTruncated tis ->
            plan.weight[t] = Math.min(sequenceRatio, tis.cap());
        case SamplerCorrection.Masked band -> {
          plan.kept[t] = !outside(ratio, band.low(), band.high());
          plan.weight[t] = ratio;
        }
        case SamplerCorrection.ProbabilityDifference most ->
            plan.kept[t] = Math.abs(Math.exp(old[t]) - Math.exp(sampler[t])) <= most.epsilon();
      }
    }
  }
}
