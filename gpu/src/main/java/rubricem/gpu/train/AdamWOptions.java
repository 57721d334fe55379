package rubricem.gpu.train;

/**
 * The optimiser's constants.
 *
 * @param weightDecay decoupled; on every trained array, as PyTorch's AdamW has it
 * @param maxGradNorm the gradient is scaled down to this Euclidean norm over all arrays
 */
public record AdamWOptions(
    double beta1, double beta2, double epsilon, double weightDecay, double maxGradNorm) {
  public AdamWOptions {
    if (!(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1)) {
      throw new IllegalArgumentException(
          "betas " + beta1 + " and " + beta2 + "; each is at least 0 and below 1");
    }
    if (!(epsilon > 0 && weightDecay >= 0 && maxGradNorm > 0)) {
      throw new IllegalArgumentException(
          "epsilon " + epsilon + ", weight decay " + weightDecay + ", largest gradient norm "
              + maxGradNorm + "; the first and last are above 0, the second not below");
    }
  }
}
