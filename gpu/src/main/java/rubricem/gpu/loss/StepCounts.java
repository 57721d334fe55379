package rubricem.gpu.loss;

/**
 * What became of the tokens of a step before any of them was trained: each sampled token is either
 * trained or counted under exactly one reason.
 *
 * @param sampledTokens of all rollouts given
 * @param flatTokens of groups without any advantage that were left out
 * @param truncatedTokens of rollouts that a limit cut, where those are left out
 * @param staleTokens of rollouts from a policy that is too old
 * @param nonFiniteTokens whose log-probability of sampler, old policy or reference is no number
 * @param rejectedTokens by comparison of old policy and sampler
 * @param flatGroups groups without any advantage, left out or not
 * @param truncatedRollouts cut by a limit, left out or not
 * @param lags how many rollouts lag by 0, 1, 2, … policy versions; the last holds all beyond
 */
public record StepCounts(
    long rollouts,
    long sampledTokens,
    long trainedTokens,
    long flatTokens,
    long truncatedTokens,
    long staleTokens,
    long nonFiniteTokens,
    long rejectedTokens,
    long groups,
    long flatGroups,
    long truncatedRollouts,
    long[] lags) {

  public double rejectedShare() {
    return share(rejectedTokens, trainedTokens + rejectedTokens);
  }

  public double flatGroupShare() {
    return share(flatGroups, groups);
  }

  public double truncatedShare() {
    return share(truncatedRollouts, rollouts);
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
