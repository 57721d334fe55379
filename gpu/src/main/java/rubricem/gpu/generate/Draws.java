package rubricem.gpu.generate;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;

/**
 * What the rows of one call need for drawing: a number from [0, 1), and how to use it. A row's
 * numbers come from its own generator, so its draws do not depend on who runs beside it.
 */
final class Draws {
  /** Ranks looked at first for top-p: almost always enough, and far cheaper than a whole sort. */
  private static final int RANKS_FIRST = 1024;

  private final double[] values;
  private final int rows;
  private boolean filtered;
  private boolean greedy;
  private int ranks;

  private Draws(int rows) {
    this.rows = rows;
    values = new double[4 * rows];
  }

  static Draws of(List<RunningSequence> sequences) {
    Draws draws = new Draws(sequences.size());
    for (int i = 0; i < draws.rows; i++) {
      RunningSequence sequence = sequences.get(i);
      draws.set(i, sequence.request().sampling(), sequence.nextUniform());
    }
    return draws;
  }

  private void set(int row, Sampling sampling, double uniform) {
    values[row] = uniform;
    values[rows + row] = sampling.temperature();
    boolean filters = sampling.isFiltered();
    values[2 * rows + row] = filters ? sampling.topK() : 0;
    values[3 * rows + row] = filters ? sampling.topP() : 1;
    greedy |= sampling.isGreedy();
    filtered |= filters;
    if (filters) {
      ranks = Math.max(ranks, sampling.topK() > 0 ? sampling.topK() : RANKS_FIRST);
    }
  }

  int rows() {
    return rows;
  }

  NDArray array(NDManager scope) {
    return scope.create(values, new Shape(4, rows));
  }

  long[] counts(int seen, int vocabulary) {
    return new long[] {seen, filtered ? 1 : 0, Math.min(ranks, vocabulary), greedy ? 1 : 0};
  }
}
