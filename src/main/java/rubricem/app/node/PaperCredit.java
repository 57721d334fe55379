package rubricem.app.node;

import java.util.Arrays;
import rubricem.actors.credit.GroupAdvantages;
import rubricem.actors.credit.StageAdvantages;
import rubricem.actors.credit.StageReturns;
import rubricem.actors.credit.StageWeights;
import rubricem.gpu.verify.CreditRule;
import rubricem.protocol.learning.Credit;

/** The paper's credit, as episodes are credited, for the verification of the learner. */
public final class PaperCredit implements CreditRule {
  private final StageWeights weights = StageWeights.paper();
  private final StageAdvantages advantages = new StageAdvantages(Credit.PAPER);

  @Override
  public double[][] returns(double[][] scores) {
    return Arrays.stream(scores)
        .map(row -> StageReturns.of(weights, row))
        .toArray(double[][]::new);
  }

  @Override
  public double[][] advantages(double[][] scores) {
    GroupAdvantages group = advantages.ofGroup(scores);
    double[][] rows = new double[group.size()][];
    Arrays.setAll(rows, group::of);
    return rows;
  }
}
