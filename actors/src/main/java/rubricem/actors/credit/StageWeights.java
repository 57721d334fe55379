package rubricem.actors.credit;

import java.util.List;
import rubricem.protocol.learning.Credit;
import rubricem.protocol.learning.TrainRollout;

/**
 * Λ: what each stage is credited of the scores of itself and of the stages after it. A stage is
 * credited with its own score in full, with a share of later ones and never with an earlier one,
 * which it could not have caused. The terminal form alone departs from that: every stage gets the
 * answer's score and nothing else (contradiction C11 of the specification).
 */
public final class StageWeights {
  private static final int K = TrainRollout.STAGES;

  private final double[][] rows;

  private StageWeights(double[][] rows) {
    this.rows = rows;
  }

  public static StageWeights of(Credit credit) {
    return switch (credit.mode()) {
      case STAGES -> causal(credit.weights());
      case TERMINAL -> terminal();
    };
  }

  public static StageWeights paper() {
    return causal(Credit.PAPER_WEIGHTS);
  }

  /** The answer's score alone, for every stage. */
  public static StageWeights terminal() {
    double[][] rows = new double[K][K];
    for (double[] row : rows) {
      row[K - 1] = 1;
    }
    return new StageWeights(rows);
  }

  /**
   * @throws IllegalArgumentException where the matrix is no 4 by 4, has another diagonal than 1,
   *     credits an earlier stage, or holds a weight outside 0 to 1
   */
  public static StageWeights causal(List<List<Double>> weights) {
    if (weights.size() != K || weights.stream().anyMatch(row -> row.size() != K)) {
      throw new IllegalArgumentException("credit.weights must have 4 rows of 4 numbers");
    }
    double[][] rows = new double[K][K];
    for (int k = 0; k < K; k++) {
      for (int j = 0; j < K; j++) {
        rows[k][j] = checked(k, j, weights.get(k).get(j));
      }
    }
    return new StageWeights(rows);
  }

  private static double checked(int k, int j, double weight) {
    String cell = "credit.weights row " + (k + 1) + " column " + (j + 1) + " is " + weight;
    if (j < k && weight != 0) {
      throw new IllegalArgumentException(cell + ": a stage earns nothing of an earlier one; use 0");
    }
    if (j == k && weight != 1) {
      throw new IllegalArgumentException(cell + ": a stage earns its own score in full; use 1");
    }
    if (!(weight >= 0 && weight <= 1)) {
      throw new IllegalArgumentException(cell + ": it must lie in 0 to 1");
    }
    return weight;
  }

  double weight(int stage, int scored) {
    return rows[stage][scored];
  }

  /** Λ times a column of four values. */
  double[] times(double[] values) {
    double[] product = new double[K];
    for (int k = 0; k < K; k++) {
      for (int j = 0; j < K; j++) {
        // a weight of 0 takes nothing, whatever the score: 0 · NaN would be NaN
        product[k] += rows[k][j] == 0 ? 0 : rows[k][j] * values[j];
      }
    }
    return product;
  }
}
