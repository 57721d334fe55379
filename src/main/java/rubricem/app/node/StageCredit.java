package rubricem.app.node;

import java.util.Arrays;
import java.util.List;
import rubricem.actors.credit.GroupAdvantages;
import rubricem.actors.credit.StageAdvantages;
import rubricem.actors.credit.StageReturns;
import rubricem.actors.credit.StageWeights;
import rubricem.gpu.verify.CreditRule;
import rubricem.protocol.learning.Credit;

/** Credit as episodes are credited, for those who verify the learner or run a step again. */
public final class StageCredit implements CreditRule {
  private final StageWeights weights;
  private final StageAdvantages advantages;

  public StageCredit(Credit credit) {
    weights = StageWeights.of(credit);
    advantages = new StageAdvantages(credit);
  }

  @Override
  public double[][] returns(double[][] scores) {
    return Arrays.stream(scores)
        .map(row -> StageReturns.of(weights, row))
        .toArray(double[][]::new);
  }

  @Override
  public List<double[][]> batch(List<double[][]> groups) {
    return advantages.ofBatch(groups).stream().map(StageCredit::rows).toList();
  }

  private static double[][] rows(GroupAdvantages group) {
    double[][] rows = new double[group.size()][];
    Arrays.setAll(rows, group::of);
    return rows;
  }
}
