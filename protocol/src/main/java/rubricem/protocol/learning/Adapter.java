package rubricem.protocol.learning;

/**
 * Whether weights are trained themselves or through a low-rank adapter.
 *
 * @param rank 0: the full weights, as in the paper
 */
public record Adapter(int rank, double alpha) {
  private static final int RANK_MAX = 512;

  public static final Adapter FULL_WEIGHTS = new Adapter(0, 16);

  public Adapter {
    Require.within("adapter.rank", rank, 0, RANK_MAX);
    Require.positive("adapter.alpha", alpha);
  }

  public boolean on() {
    return rank > 0;
  }
}
