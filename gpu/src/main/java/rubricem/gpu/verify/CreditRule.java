package rubricem.gpu.verify;

import java.util.List;

/** How the stage scores of one group become credit; the rule itself lives in another room. */
public interface CreditRule {
  /** @param scores a row of four for each rollout of the group */
  double[][] returns(double[][] scores);

  /** @param scores a row of four for each rollout of the group */
  default double[][] advantages(double[][] scores) {
    return batch(List.<double[][]>of(scores)).getFirst();
  }

  /** Advantages of all groups of a step. */
  List<double[][]> batch(List<double[][]> groups);
}
