package rubricem.gpu.supervised;

import rubricem.gpu.train.LearningRate;

/**
 * How a run goes over its rows.
 *
 * @param steps of the whole run
 * @param checkpointEvery steps; there is one at the end in any case
 */
public record SupervisedPlan(
    RowOrder order, long steps, LearningRate rate, long checkpointEvery) {
  /** A run of years. */
  public static final long STEPS_MAX = 100_000_000;

  public SupervisedPlan {
    if (steps < 1 || steps > STEPS_MAX || checkpointEvery < 1) {
      throw new IllegalArgumentException(
          "steps " + steps + ", checkpoint every " + checkpointEvery + "; each is at least 1, and"
              + " steps at most " + STEPS_MAX);
    }
  }
}
