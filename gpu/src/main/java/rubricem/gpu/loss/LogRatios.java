package rubricem.gpu.loss;

/** Ratios of probabilities out of log-probabilities, kept from overflowing. */
final class LogRatios {
  /** exp(20) is 5e8: whoever is that far apart is a fault, not a policy. */
  static final double MAX = 20;

  private LogRatios() {}

  static double ratio(double logRatio) {
    return Math.exp(Math.clamp(logRatio, -MAX, MAX));
  }

  /** 1 where the ratio follows its log-probability, 0 where the clamp holds it. */
  static double flows(double logRatio) {
    return Math.abs(logRatio) <= MAX ? 1 : 0;
  }
}
