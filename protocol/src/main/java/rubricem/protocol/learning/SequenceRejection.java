package rubricem.protocol.learning;

/**
 * Whole rollouts that the learner would hardly have written are rejected: by the ratio of old
 * policy to sampler over the rollout, or because of one single token.
 *
 * @param low the band of the statistic; the rollout is rejected outside it
 * @param veto a rollout with a token whose ratio is below this is rejected; 0 vetoes nothing
 */
public record SequenceRejection(Statistic statistic, double low, double high, double veto) {

  /** What is compared with the band. */
  public enum Statistic {
    /** The band is not looked at. */
    NONE,
    /** The product of the tokens' ratios. */
    SEQUENCE,
    /** Its root by the number of tokens: independent of length, so the band is narrow. */
    GEOMETRIC
  }

  public static final SequenceRejection NONE =
      new SequenceRejection(Statistic.NONE, 0.999, 1.001, 0);

  public SequenceRejection {
    Require.notNegative("sequence-rejection.low", low);
    Require.that(
        statistic == Statistic.NONE || (high >= low && Double.isFinite(high)),
        "sequence-rejection.high", high,
        "it must not be below the lower end " + low);
    Require.within("sequence-rejection.veto", veto, 0, 1);
  }

  public boolean on() {
    return statistic != Statistic.NONE || veto > 0;
  }
}
