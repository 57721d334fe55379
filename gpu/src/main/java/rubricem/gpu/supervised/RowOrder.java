package rubricem.gpu.supervised;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Which rows each step trains: every epoch goes once over all of them in an order of its own, in
 * steps of one size, of which the last may be smaller. A function of the step's number and the
 * seed, so there is no position to store or to lose: whoever knows how many steps are done knows
 * what comes next, at the end of an epoch too.
 *
 * @param rows how many there are
 * @param perStep of one optimiser step
 */
public record RowOrder(int rows, int perStep, long seed) {
  /** Gradients of more rows than that add nothing that anybody measured. */
  public static final int PER_STEP_MAX = 65_536;

  public RowOrder {
    if (rows < 1 || perStep < 1 || perStep > PER_STEP_MAX) {
      throw new IllegalArgumentException(
          rows + " rows, " + perStep + " a step; at least 1 of each, at most " + PER_STEP_MAX
              + " a step");
    }
  }

  public long stepsOfEpoch() {
    return (rows + (long) perStep - 1) / perStep;
  }

  public long epochOf(long step) {
    return step / stepsOfEpoch();
  }

  /** Indices of the rows of a step, counted from 0. */
  public int[] at(long step) {
    int from = Math.toIntExact(step % stepsOfEpoch() * perStep);
    int[] order = epoch(epochOf(step));
    return java.util.Arrays.copyOfRange(order, from, Math.min(rows, from + perStep));
  }

  private int[] epoch(long epoch) {
    int[] order = IntStream.range(0, rows).toArray();
    RandomGenerator random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + epoch);
    for (int i = rows - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    return order;
  }
}
