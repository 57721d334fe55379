package rubricem.gpu.loss;

/**
 * One micro-batch's part of the step's loss. Parts add up: there is nothing left to divide by.
 *
 * @param loss as a part of the step's
 * @param slopes the loss's derivative with respect to each log-probability given, in the same
 *     order; exactly 0 for every token that is not trained
 * @param sums for the record
 */
public record LossPart(double loss, double[][] slopes, LossSums sums) {

  /** Whether the step may be taken with this part in it. */
  public boolean finite() {
    return sums.nonFiniteTokens() == 0 && Double.isFinite(loss);
  }
}
