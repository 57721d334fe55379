package rubricem.protocol.learning;

/**
 * Pushing down what the policy no longer writes teaches little and can do harm. Where a rollout has
 * drifted, its stages of negative advantage are rejected; those of positive advantage stay.
 */
public sealed interface OffPolicyMasking {
  /** Every rollout counts, however far the policy has moved on. */
  record None() implements OffPolicyMasking {}

  /** Drifted: the mean of sampler over old policy, as log-ratio a token, is above this. */
  record Above(double meanLogRatio) implements OffPolicyMasking {
    public Above {
      Require.notNegative("off-policy-masking.mean-log-ratio", meanLogRatio);
    }
  }
}
