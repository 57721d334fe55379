package rubricem.protocol.learning;

/**
 * What the losses of single tokens are divided by. Every variant takes its divisor from the whole
 * optimiser step, never from a micro-batch or a packed row.
 */
public sealed interface Aggregation {
  /** The sum over all trained tokens divided by their number: long rollouts weigh more (DAPO). */
  record TokenMean() implements Aggregation {}

  /** The mean of each rollout first, then of the rollouts that have trained tokens (GRPO). */
  record SequenceMean() implements Aggregation {}

  /** The sum over all trained tokens divided by a number that never changes (Dr. GRPO). */
  record ConstantDivisor(double divisor) implements Aggregation {
    public ConstantDivisor {
      Require.positive("loss.divisor", divisor);
    }
  }
}
