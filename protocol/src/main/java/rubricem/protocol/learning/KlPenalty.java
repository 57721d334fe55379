package rubricem.protocol.learning;

/**
 * The pull towards the fixed reference policy, estimated from the sampled tokens. With {@code d}
 * the log-ratio of policy to reference: k1 is {@code d}, k2 is {@code d²/2}, k3 is
 * {@code exp(-d) - 1 + d}.
 *
 * <p>The gradient of a sampled expectation has two parts: that of the estimate, and the score term,
 * the estimate times the gradient of the log-probability, because the policy also decides what is
 * sampled. Which part is taken:
 *
 * <ul>
 *   <li>k3, as the paper and DR Tulu have it: the estimate's alone. Its expectation is the gradient
 *       of the KL of reference to policy, a pull to the same optimum.
 *   <li>k3 with {@code unbiased}: the estimate times the ratio to the old policy, both
 *       differentiated: in expectation the exact gradient of the KL of policy to reference.
 *   <li>k2: the estimate's alone, which already is that exact gradient in expectation. With the
 *       score term it would be the gradient of something else, so {@code unbiased} is refused.
 *   <li>k1: always with the score term; without it the gradient is zero in expectation.
 * </ul>
 *
 * @param coefficient 0 leaves the penalty out, and then no reference is needed
 * @param logRatioMax the log-ratio is kept within plus and minus this; beyond, no gradient flows
 */
public record KlPenalty(
    double coefficient, Estimator estimator, boolean unbiased, double logRatioMax) {

  /** The three estimators, by the names they go by. */
  public enum Estimator {
    K1,
    K2,
    K3
  }

  /** At a log-ratio of -10, k3 is 22,000; at -40, as DR Tulu clamps it, 2.4e17. */
  public static final double LOG_RATIO_MAX = 10;

  public static final KlPenalty NONE = new KlPenalty(0, Estimator.K3, false, LOG_RATIO_MAX);

  public KlPenalty {
    Require.notNegative("kl.coefficient", coefficient);
    Require.positive("kl.log-ratio-max", logRatioMax);
    Require.that(
        !(unbiased && estimator == Estimator.K2), "kl.unbiased", true,
        "k2 has the exact gradient without it; use it with K3");
  }

  public boolean on() {
    return coefficient > 0;
  }

  /** Whether the estimate is multiplied by the ratio and differentiated with it. */
  public boolean withScoreTerm() {
    return unbiased || estimator == Estimator.K1;
  }
}
