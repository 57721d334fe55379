package rubricem.protocol.learning;

/**
 * Whether weights are trained themselves or through a low-rank adapter.
 *
 * @param rank 0: the full weights, as in the paper
 * @param spareVersions adapters a sampler keeps beyond those the staleness bound needs
 */
public record Adapter(int rank, double alpha, int spareVersions) {
  private static final int RANK_MAX = 512;

  public static final Adapter FULL_WEIGHTS = new Adapter(0, 16, 1);

  public Adapter {
    Require.within("adapter.rank", rank, 0, RANK_MAX);
    Require.positive("adapter.alpha", alpha);
    Require.notNegative("adapter.spare-versions", spareVersions);
  }

  public boolean on() {
    return rank > 0;
  }

  /** Versions that are registered with a sampler at once. */
  public int versions(Staleness staleness) {
    return staleness.max() + 1 + spareVersions;
  }
}
