package rubricem.gpu.verify;

/** How the stage scores of one group become credit; the rule itself lives in another room. */
public interface CreditRule {
  /** @param scores a row of four for each rollout of the group */
  double[][] returns(double[][] scores);

  /** @param scores a row of four for each rollout of the group */
  double[][] advantages(double[][] scores);
}
