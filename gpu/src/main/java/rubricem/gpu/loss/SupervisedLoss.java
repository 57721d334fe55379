package rubricem.gpu.loss;

import java.util.List;
import rubricem.protocol.learning.SupervisedRow;

/**
 * Cross-entropy of supervised rows: minus the mean log-probability of all counted tokens of the
 * optimiser step, whatever micro-batch or row they lie in. Tokens that are not counted are not even
 * read. A step without counted tokens is skipped, with a loss of 0.
 */
public final class SupervisedLoss {
  private final List<SupervisedRow> rows;
  private final long tokens;

  /** @param rows all of one optimiser step */
  public SupervisedLoss(List<SupervisedRow> rows) {
    this.rows = List.copyOf(rows);
    this.tokens = rows.stream().mapToLong(SupervisedRow::trainedTokens).sum();
  }

  public long tokens() {
    return tokens;
  }

  public boolean skipped() {
    return tokens == 0;
  }

  /**
   * @param indices of the rows that one forward pass went over
   * @param logProbs for each of them, of every token given those before it; the first is never read
   */
  public LossPart of(int[] indices, double[][] logProbs) {
    if (logProbs.length != indices.length) {
      throw new IllegalArgumentException(
          indices.length + " rows have " + logProbs.length + " rows of log-probabilities");
    }
    double[][] slopes = new double[indices.length][];
    double loss = 0;
    long counted = 0;
    long nonFinite = 0;
    for (int i = 0; i < indices.length; i++) {
      SupervisedRow row = rows.get(indices[i]);
      if (logProbs[i].length != row.length()) {
        throw new IllegalArgumentException(
            "row " + row.id() + " has " + row.length() + " tokens and " + logProbs[i].length
                + " log-probabilities");
      }
      slopes[i] = new double[row.length()];
      for (int t = 0; t < row.length(); t++) {
        if (row.trainMask()[t] && Double.isFinite(logProbs[i][t])) {
          counted++;
          loss -= logProbs[i][t] / tokens;
          slopes[i][t] = -1.0 / tokens;
        } else if (row.trainMask()[t]) {
          nonFinite++;
        }
      }
    }
    LossSums sums =
        new LossSums(
            counted, loss, 0, 0, 0, Moments.NONE, Moments.NONE, Moments.NONE, nonFinite);
    return new LossPart(loss, slopes, sums);
  }
}
