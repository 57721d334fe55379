package rubricem.gpu.loss;

/**
 * What is counted while a step is trained, over its trained tokens; parts merge in any order.
 *
 * @param policyLoss the part of the loss that the advantages make
 * @param klLoss the part that the penalty makes
 * @param clippedLow tokens whose ratio the lower clip holds
 * @param ratio of policy to old policy, as the objective uses it
 * @param kl3 the k3 estimate, whatever estimator the penalty uses, where a reference is given
 * @param nonFiniteTokens whose log-probability under the policy is no number: the step should be
 *     left out, for the model itself is at fault
 */
public record LossSums(
    long tokens,
    double policyLoss,
    double klLoss,
    long clippedLow,
    long clippedHigh,
    Moments ratio,
    Moments kl3,
    Moments entropy,
    long nonFiniteTokens) {

  public static final LossSums NONE =
      new LossSums(0, 0, 0, 0, 0, Moments.NONE, Moments.NONE, Moments.NONE, 0);

  public LossSums merge(LossSums other) {
    return new LossSums(
        tokens + other.tokens,
        policyLoss + other.policyLoss,
        klLoss + other.klLoss,
        clippedLow + other.clippedLow,
        clippedHigh + other.clippedHigh,
        ratio.merge(other.ratio),
        kl3.merge(other.kl3),
        entropy.merge(other.entropy),
        nonFiniteTokens + other.nonFiniteTokens);
  }

  public double clipShare() {
    return clipShareLow() + clipShareHigh();
  }

  public double clipShareLow() {
    return tokens == 0 ? 0 : (double) clippedLow / tokens;
  }

  public double clipShareHigh() {
    return tokens == 0 ? 0 : (double) clippedHigh / tokens;
  }
}
