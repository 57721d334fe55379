package rubricem.gpu.loss;

import rubricem.protocol.learning.KlPenalty;

/**
 * One token's estimate of the KL of policy to reference, and its derivative with respect to the
 * policy's log-probability. The log-ratio is clamped; where the clamp holds, no gradient flows.
 */
public record KlEstimate(double value, double slope) {

  /** @param logRatio of policy to reference */
  public static KlEstimate of(KlPenalty.Estimator estimator, double logRatio, double clamp) {
    double d = Math.clamp(logRatio, -clamp, clamp);
    double flows = d == logRatio ? 1 : 0;
    return switch (estimator) {
      case K1 -> new KlEstimate(d, flows);
      case K2 -> new KlEstimate(d * d / 2, flows * d);
      // exp(-d) - 1 by expm1: near d = 0 the plain difference would lose all its digits
      case K3 -> new KlEstimate(Math.expm1(-d) + d, flows * -Math.expm1(-d));
    };
  }
}
