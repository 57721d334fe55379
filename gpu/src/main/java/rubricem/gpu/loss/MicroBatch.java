package rubricem.gpu.loss;

import org.jspecify.annotations.Nullable;

/**
 * What one forward pass gave, for whole rollouts only: a ratio over a rollout (GSPO) cannot be made
 * of a part of it, so there is no way to name one.
 *
 * @param rollouts indices into the step's plan
 * @param logProbs for each of them, of every response token under the policy; what stands at tokens
 *     that are not trained is never read
 * @param entropies likewise, for the record only; null where nobody computed them
 */
public record MicroBatch(
    int[] rollouts, double[][] logProbs, double @Nullable [][] entropies) {

  public MicroBatch {
    if (logProbs.length != rollouts.length
        || (entropies != null && entropies.length != rollouts.length)) {
      throw new IllegalArgumentException(
          rollouts.length + " rollouts have " + logProbs.length
              + " rows of log-probabilities, or another number of entropies");
    }
  }

  public MicroBatch(int[] rollouts, double[][] logProbs) {
    this(rollouts, logProbs, null);
  }
}
