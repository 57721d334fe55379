package rubricem.protocol.learning;

/**
 * What is done about tokens that the sampler found likelier or less likely than the learner did
 * before the step. The ratio is that of old policy to sampler, a constant without gradient.
 */
public sealed interface SamplerCorrection {
  /** Nothing: what the paper and DR Tulu do. */
  record None() implements SamplerCorrection {}

  /** Each token's policy term times its ratio, at most {@code cap}: truncated importance weight. */
  record TokenTruncated(double cap) implements SamplerCorrection {
    public TokenTruncated {
      Require.positive("sampler-correction.token-cap", cap);
    }
  }

  /** The ratio of the whole rollout, at most {@code cap}, for each of its tokens. */
  record SequenceTruncated(double cap) implements SamplerCorrection {
    public SequenceTruncated {
      Require.positive("sampler-correction.sequence-cap", cap);
    }
  }

  /** Tokens whose ratio lies outside the band are rejected, the others weighted (IcePop). */
  record Masked(double low, double high) implements SamplerCorrection {
    public Masked {
      Require.notNegative("sampler-correction.masked.low", low);
      Require.that(
          high >= low && Double.isFinite(high), "sampler-correction.masked.high", high,
          "it must not be below the lower end " + low);
    }
  }

  /** Tokens whose two probabilities lie further apart than {@code epsilon} are rejected. */
  record ProbabilityDifference(double epsilon) implements SamplerCorrection {
    public ProbabilityDifference {
      Require.within("sampler-correction.probability-difference", epsilon, 0, 1);
    }
  }
}
