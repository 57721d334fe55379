package rubricem.gpu.supervised;

import java.util.Map;
import rubricem.gpu.train.LearningRate;

/**
 * How a run goes over its rows.
 *
 * @param steps of the whole run
 * @param checkpointEvery steps; there is one at the end in any case
 * @param settings what decides what is learned, by key, for the record in every checkpoint
 */
public record SupervisedPlan(
    RowOrder order, long steps, LearningRate rate, long checkpointEvery,
    Map<String, String> settings) {
  /** A run of years. */
  public static final long STEPS_MAX = 100_000_000;

  public SupervisedPlan {
    if (steps < 1 || steps > STEPS_MAX || checkpointEvery < 1) {
      throw new IllegalArgumentException(
          "steps " + steps + ", checkpoint every " + checkpointEvery + "; each is at least 1, and"
              + " steps at most " + STEPS_MAX);
    }
    settings = Map.copyOf(settings);
  }

  /** Without a record of settings. */
  public SupervisedPlan(RowOrder order, long steps, LearningRate rate, long checkpointEvery) {
    this(order, steps, rate, checkpointEvery, Map.of());
  }
}
