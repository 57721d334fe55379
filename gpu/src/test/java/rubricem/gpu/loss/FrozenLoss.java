package rubricem.gpu.loss;

import java.util.List;
import java.util.stream.IntStream;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.TrainRollout;

/**
 * The loss once more, written as its formulas are and without any derivative: a function of the
 * log-probabilities {@code x}, while what the method holds constant is taken at {@code at}. Only
 * which tokens are trained, and their weights, are taken from the plan.
 */
final class FrozenLoss {
  private final LearnerOptions options;
  private final StepPlan plan;
  private final double[][] at;

  FrozenLoss(StepPlan plan, double[][] at) {
    this.options = plan.options();
    this.plan = plan;
    this.at = at;
  }

  double of(double[][] x) {
    double sum = 0;
    double means = 0;
    long tokens = 0;
    long rollouts = 0;
    for (int r = 0; r < plan.size(); r++) {
      double own = 0;
      long n = 0;
      for (int t = 0; t < x[r].length; t++) {
        if (plan.plan(r).kept[t]) {
          own += plan.plan(r).weight[t] * policy(r, t, x) + penalty(r, t, x);
          n++;
        }
      }
      sum += own;
      tokens += n;
      means += n == 0 ? 0 : own / n;
      rollouts += n == 0 ? 0 : 1;
    }
    if (tokens == 0) {
      return 0;
    }
    return switch (options.aggregation()) {
      case Aggregation.TokenMean mean -> sum / tokens;
      case Aggregation.SequenceMean mean -> means / rollouts;
      case Aggregation.ConstantDivisor constant -> sum / constant.divisor();
    };
  }

  private double policy(int r, int t, double[][] x) {
    double advantage = plan.rollout(r).advantageAt(t);
    double old = plan.rollout(r).oldLogProbs()[t];
    Objective o = options.objective();
    return switch (o) {
      case Objective.Clipped clipped -> -worse(Math.exp(x[r][t] - old), advantage, o);
      case Objective.Gspo gspo -> {
        // the unit's ratio, held, times a factor that is 1 and carries the token's own gradient
        double ratio = unitRatio(r, t, gspo.unit()) * Math.exp(x[r][t] - at[r][t]);
        yield -worse(ratio, advantage, o);
      }
      case Objective.Cispo cispo ->
          -clip(Math.exp(at[r][t] - old), o) * advantage * x[r][t];
    };
  }

  private static double worse(double ratio, double advantage, Objective o) {
    return Math.min(ratio * advantage, clip(ratio, o) * advantage);
  }

  private static double clip(double ratio, Objective o) {
    return Math.max(1 - o.low(), Math.min(1 + o.high(), ratio));
  }

  private double unitRatio(int r, int token, Objective.RatioUnit unit) {
    TrainRollout rollout = plan.rollout(r);
    List<Integer> tokens =
        IntStream.range(0, rollout.length()).boxed()
            .filter(t -> plan.plan(r).kept[t])
            .filter(t -> unit == Objective.RatioUnit.ROLLOUT
                || rollout.stage()[t] == rollout.stage()[token])
            .toList();
    double mean =
        tokens.stream().mapToDouble(t -> at[r][t] - rollout.oldLogProbs()[t]).sum()
            / tokens.size();
    return Math.exp(mean);
  }

  private double penalty(int r, int t, double[][] x) {
    KlPenalty kl = options.kl();
    if (kl.coefficient() == 0) {
      return 0;
    }
    double d = x[r][t] - plan.rollout(r).referenceLogProbs()[t];
    d = Math.max(-kl.logRatioMax(), Math.min(kl.logRatioMax(), d));
    double estimate =
        switch (kl.estimator()) {
          case K1 -> d;
          case K2 -> d * d / 2;
          case K3 -> Math.exp(-d) - 1 + d;
        };
    double ratio =
        kl.withScoreTerm() ? Math.exp(x[r][t] - plan.rollout(r).oldLogProbs()[t]) : 1;
    return kl.coefficient() * ratio * estimate;
  }
}
