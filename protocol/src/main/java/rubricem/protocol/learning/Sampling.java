package rubricem.protocol.learning;

/**
 * The distribution that rollouts are drawn from. Log-probabilities of sampler and learner are both
 * those of the logits divided by the temperature, before any filter.
 *
 * @param topP 1: all tokens
 * @param topK 0: all tokens
 */
public record Sampling(double temperature, double topP, int topK) {
  public static final Sampling PLAIN = new Sampling(1, 1, 0);

  public Sampling {
    Require.positive("sampling.temperature", temperature);
    Require.within("sampling.top-p", topP, 0, 1);
    Require.positive("sampling.top-p", topP);
    Require.notNegative("sampling.top-k", topK);
  }

  /** Whether some tokens cannot be drawn, so that the rest is likelier than its log-probability. */
  public boolean filtered() {
    return topP < 1 || topK > 0;
  }
}
