package rubricem.gpu.model;

/**
 * What forward keeps for backward, and how it scores.
 *
 * @param keptLayers layers whose inner values are kept; the others keep their input and are
 *     computed again
 * @param chunkRows rows scored at once: rows times vocabulary is the largest array there is
 * @param temperature the log-probabilities are of the distribution at this temperature
 * @param entropy whether the entropy of each row is wanted
 */
public record ForwardPlan(int keptLayers, int chunkRows, double temperature, boolean entropy) {
  /** Keeps everything: for short sequences and for tests. */
  public static ForwardPlan keepAll() {
    return new ForwardPlan(Integer.MAX_VALUE, 1 << 30, 1, false);
  }

  public ForwardPlan withEntropy() {
    return new ForwardPlan(keptLayers, chunkRows, temperature, true);
  }

  double[] settings() {
    return new double[] {keptLayers, chunkRows, temperature, entropy ? 1 : 0};
  }
}
