package rubricem.actors.credit;

import java.util.ArrayList;
import java.util.List;
import rubricem.protocol.learning.Credit;
import rubricem.protocol.learning.TrainRollout;

/**
 * Advantages of the stages of a batch's groups, from their scores: unscored rollouts leave mean and
 * spread, returns are centred in their group and stage, and scaled as the options say. Whatever the
 * scale, a stage counts as flat by the spread of its own group, and a flat stage gives exactly 0.
 * Groups with too few scored rollouts are skipped, never filled up.
 */
public final class StageAdvantages {
  private static final int K = TrainRollout.STAGES;

  private final StageWeights weights;
  private final Credit credit;

  public StageAdvantages(Credit credit) {
    this.weights = StageWeights.of(credit);
    this.credit = credit;
  }

  /** @param scores a row of four for each rollout of one group, {@code NaN} where unscored */
  public GroupAdvantages ofGroup(double[][] scores) {
    return ofBatch(List.<double[][]>of(scores)).getFirst();
  }

  /** The groups of one step together: only the scale by the batch needs to know the others. */
  public List<GroupAdvantages> ofBatch(List<double[][]> scores) {
    List<Centred> groups = scores.stream().map(this::centred).toList();
    double[] batch = batchSpread(groups);
    List<GroupAdvantages> advantages = new ArrayList<>();
    for (Centred group : groups) {
      advantages.add(scaled(group, batch));
    }
    return advantages;
  }

  private record Centred(List<Column> columns, boolean[] member) {}

  private Centred centred(double[][] scores) {
    StageScores known = StageScores.of(scores);
    boolean[] member = known.member();
    if (count(member) < credit.survivorsMin()) {
      member = new boolean[scores.length];
    }
    double[][] values = known.filled();
    if (credit.unit() == Credit.Unit.RETURNS) {
      for (int i = 0; i < values.length; i++) {
        values[i] = StageReturns.of(weights, values[i]);
      }
    }
    List<Column> columns = new ArrayList<>();
    for (int k = 0; k < K; k++) {
      columns.add(Column.of(Column.of(values, k), member));
    }
    return new Centred(columns, member);
  }

  private GroupAdvantages scaled(Centred group, double[] batch) {
    int n = count(group.member());
    double[][] rows = new double[group.member().length][K];
    boolean[] flat = new boolean[K];
    for (int k = 0; k < K; k++) {
      Column column = group.columns().get(k);
      flat[k] = column.spread() < credit.floor();
      double factor = flat[k] ? 0 : factor(column.spread(), batch[k], n);
      for (int i = 0; i < rows.length; i++) {
        rows[i][k] = flat[k] ? 0 : factor * column.deviations()[i];
      }
    }
    if (credit.unit() == Credit.Unit.STAGE_SCORES) {
      for (int i = 0; i < rows.length; i++) {
        rows[i] = weights.times(rows[i]);
      }
      flat = flatReturns(flat);
    }
    return new GroupAdvantages(rows, group.member(), flat);
  }

  /** A stage's sum of normalised scores is flat when all it draws on are. */
  private boolean[] flatReturns(boolean[] flatScores) {
    boolean[] flat = new boolean[K];
    for (int k = 0; k < K; k++) {
      flat[k] = true;
      for (int j = 0; j < K; j++) {
        flat[k] &= flatScores[j] || weights.weight(k, j) == 0;
      }
    }
    return flat;
  }

  private double factor(double spread, double batchSpread, int n) {
    double divisor =
        switch (credit.scale()) {
          case GROUP_STD -> spread + credit.epsilon();
          case BATCH_STD -> batchSpread + credit.epsilon();
          case NONE -> 1;
        };
    // x - mean of the others = (x - mean of all) n / (n - 1): no second mean that rounds otherwise
    double others = credit.leaveOneOut() ? (double) n / (n - 1) : 1;
    return others / divisor;
  }

  private static double[] batchSpread(List<Centred> groups) {
    double[] spread = new double[K];
    for (int k = 0; k < K; k++) {
      double squares = 0;
      int n = 0;
      for (Centred group : groups) {
        double own = group.columns().get(k).spread();
        int members = count(group.member());
        squares += own * own * members;
        n += members;
      }
      spread[k] = n == 0 ? 0 : Math.sqrt(squares / n);
    }
    return spread;
  }

  private static int count(boolean[] member) {
    int n = 0;
    for (boolean each : member) {
      n += each ? 1 : 0;
    }
    return n;
  }
}
