package rubricem.protocol.learning;

/**
 * How far rollouts may lag behind the policy that is trained on them.
 *
 * @param max policy versions; an older rollout is left out of the step and counted
 */
public record Staleness(int max) {
  private static final int MAX = 64;

  public Staleness {
    Require.within("staleness.max", max, 0, MAX);
  }

  /**
   * The lag of a rollout of {@code version}.
   *
   * @throws IllegalArgumentException if it is newer than what is trained: versions only rise
   */
  public static long lag(long trained, long version) {
    Require.that(
        version <= trained, "the policy version of a rollout", version,
        "the learner is at " + trained + ", and a rollout cannot come from a later policy");
    return trained - version;
  }
}
