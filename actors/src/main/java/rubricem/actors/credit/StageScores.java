package rubricem.actors.credit;

import java.util.Arrays;
import rubricem.protocol.learning.TrainRollout;

/**
 * The stage scores of one group, with what a judge could not say. {@code NaN} is an unscored stage;
 * it never becomes 0. A stage that nobody of the group has a score for takes the same constant for
 * all and so credits nobody. A rollout that has its answer scored and an earlier stage not takes
 * the mean of those that have it, which earns it nothing there. A rollout without an answer's
 * score, where others have one, or with no score at all, is no member of the group.
 */
final class StageScores {
  private static final int K = TrainRollout.STAGES;

  private final double[][] filled;
  private final boolean[] member;

  private StageScores(double[][] filled, boolean[] member) {
    this.filled = filled;
    this.member = member;
  }

  /** @param scores a row of four for each rollout of the group */
  static StageScores of(double[][] scores) {
    double[][] filled = new double[scores.length][];
    boolean[] member = new boolean[scores.length];
    for (int i = 0; i < scores.length; i++) {
      filled[i] = checked(scores[i]).clone();
      member[i] = Arrays.stream(scores[i]).anyMatch(score -> !Double.isNaN(score));
    }
    if (scoredAnywhere(filled, member, K - 1)) {
      for (int i = 0; i < member.length; i++) {
        member[i] &= !Double.isNaN(filled[i][K - 1]);
      }
    }
    for (int k = 0; k < K; k++) {
      impute(filled, member, k);
    }
    return new StageScores(filled, member);
  }

  private static double[] checked(double[] row) {
    if (row.length != K) {
      throw new IllegalArgumentException("a rollout has " + row.length + " stage scores, not 4");
    }
    for (double score : row) {
      if (score < 0 || score > 1) {
        throw new IllegalArgumentException("a stage score is " + score + ": it must be 0 to 1");
      }
    }
    return row;
  }

  private static boolean scoredAnywhere(double[][] scores, boolean[] member, int stage) {
    for (int i = 0; i < member.length; i++) {
      if (member[i] && !Double.isNaN(scores[i][stage])) {
        return true;
      }
    }
    return false;
  }

  private static void impute(double[][] scores, boolean[] member, int stage) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < member.length; i++) {
      if (member[i] && !Double.isNaN(scores[i][stage])) {
        sum += scores[i][stage];
        n++;
      }
    }
    double instead = n == 0 ? 0 : sum / n;
    for (int i = 0; i < member.length; i++) {
      if (Double.isNaN(scores[i][stage])) {
        scores[i][stage] = instead;
      }
    }
  }

  boolean[] member() {
    return member;
  }

  /** The scores without gaps; rows of rollouts that are no members mean nothing. */
  double[][] filled() {
    return filled;
  }
}
