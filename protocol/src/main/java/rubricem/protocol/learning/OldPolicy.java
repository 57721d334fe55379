package rubricem.protocol.learning;

/**
 * Whose log-probabilities stand below the ratio, and how often one batch is trained on. With one
 * update the learner's own ratio is 1 in value and only its gradient counts; a clip then does
 * nothing.
 */
public record OldPolicy(Source source, int updatesPerBatch) {

  /** Where the old log-probabilities come from. */
  public enum Source {
    /** The learner's own, from its first pass over the batch: what DR Tulu does. */
    OWN_FIRST_PASS,
    /** Those recorded with each sampled token: no further pass, and the lag is in the ratio. */
    RECORDED_SAMPLER,
    /** The learner's own, from a pass over the whole batch before its first update. */
    RECOMPUTED
  }

  /** One batch is small and each update costs a pass; more than a few overfit it. */
  private static final int UPDATES_MAX = 16;

  public OldPolicy {
    Require.within("old-policy.updates-per-batch", updatesPerBatch, 1, UPDATES_MAX);
  }
}
