package rubricem.protocol.learning;

/**
 * How the learner turns scored rollouts into an update: the whole of it, checked as a whole. Each
 * part is valid by itself; here are refused the combinations that would train on something else
 * than they say. Where memory and time go (packing, precision, optimiser) is not said here.
 */
public record LearnerOptions(
    Aggregation aggregation,
    Objective objective,
    KlPenalty kl,
    SamplerCorrection correction,
    SequenceRejection rejection,
    OffPolicyMasking offPolicy,
    OldPolicy old,
    Credit credit,
    TokenSelection selection,
    Sampling sampling,
    Staleness staleness,
    Adapter adapter) {

  /** Where a step gets the old log-probabilities from, as the options work out. */
  public enum OldPass {
    /** From the very pass that is differentiated: no further one is needed. */
    SAME_PASS,
    /** From the sampler's record. */
    FROM_SAMPLER,
    /** From a pass over the whole batch before its first update. */
    PASS_BEFORE
  }

  public LearnerOptions {
    boolean compares = comparesWithSampler(correction, rejection, offPolicy);
    boolean sampler = old.source() == OldPolicy.Source.RECORDED_SAMPLER;
    Require.that(
        !(sampler && compares), "old-policy.source", OldPolicy.Source.RECORDED_SAMPLER,
        "the old policy is then the sampler itself, so that sampler-correction,"
            + " sequence-rejection and off-policy-masking have nothing to compare; use RECOMPUTED");
    Require.that(
        !((sampler || compares) && sampling.filtered()), "sampling.top-p and top-k",
        sampling.topP() + " and " + sampling.topK(),
        "a filtered sampler draws tokens more often than their log-probability says, so no ratio"
            + " to it is right; use 1 and 0, or no ratio to the sampler");
  }

  /** The paper's settings, and where it leaves them open, what its specification proposes. */
  public static LearnerOptions paper() {
    return new LearnerOptions(
        new Aggregation.TokenMean(),
        new Objective.Clipped(0.2, 0.2),
        new KlPenalty(0.001, KlPenalty.Estimator.K3, false, KlPenalty.LOG_RATIO_MAX),
        new SamplerCorrection.None(),
        SequenceRejection.NONE,
        new OffPolicyMasking.None(),
        new OldPolicy(OldPolicy.Source.OWN_FIRST_PASS, 1),
        Credit.PAPER,
        TokenSelection.ALL,
        Sampling.PLAIN,
        new Staleness(2),
        Adapter.FULL_WEIGHTS);
  }

  private static boolean comparesWithSampler(
      SamplerCorrection correction, SequenceRejection rejection, OffPolicyMasking offPolicy) {
    return !(correction instanceof SamplerCorrection.None)
        || rejection.on()
        || !(offPolicy instanceof OffPolicyMasking.None);
  }

  /** Whether old policy and sampler are compared before the step. */
  public boolean comparesWithSampler() {
    return comparesWithSampler(correction, rejection, offPolicy);
  }

  /** Whether the entropies of all tokens must be known before the step. */
  public boolean needsEntropiesBefore() {
    return selection.entropyShare() < 1;
  }

  public boolean needsReference() {
    return kl.on();
  }

  public OldPass oldPass() {
    return switch (old.source()) {
      case RECORDED_SAMPLER -> OldPass.FROM_SAMPLER;
      case RECOMPUTED -> OldPass.PASS_BEFORE;
      case OWN_FIRST_PASS ->
          comparesWithSampler() || old.updatesPerBatch() > 1
              ? OldPass.PASS_BEFORE
              : OldPass.SAME_PASS;
    };
  }

  public LearnerOptions with(Aggregation other) {
    return new LearnerOptions(
        other, objective, kl, correction, rejection, offPolicy, old, credit, selection, sampling,
        staleness, adapter);
  }

  public LearnerOptions with(Objective other) {
    return new LearnerOptions(
        aggregation, other, kl, correction, rejection, offPolicy, old, credit, selection,
        sampling, staleness, adapter);
  }

  public LearnerOptions with(KlPenalty other) {
    return new LearnerOptions(
        aggregation, objective, other, correction, rejection, offPolicy, old, credit, selection,
        sampling, staleness, adapter);
  }

  public LearnerOptions with(SamplerCorrection other) {
    return new LearnerOptions(
        aggregation, objective, kl, other, rejection, offPolicy, old, credit, selection, sampling,
        staleness, adapter);
  }

  public LearnerOptions with(SequenceRejection other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, other, offPolicy, old, credit, selection, sampling,
        staleness, adapter);
  }

  public LearnerOptions with(OffPolicyMasking other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, rejection, other, old, credit, selection, sampling,
        staleness, adapter);
  }

  public LearnerOptions with(OldPolicy other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, rejection, offPolicy, other, credit, selection,
        sampling, staleness, adapter);
  }

  public LearnerOptions with(Credit other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, rejection, offPolicy, old, other, selection,
        sampling, staleness, adapter);
  }

  public LearnerOptions with(TokenSelection other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, rejection, offPolicy, old, credit, other, sampling,
        staleness, adapter);
  }

  public LearnerOptions with(Sampling other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, rejection, offPolicy, old, credit, selection,
        other, staleness, adapter);
  }

  public LearnerOptions with(Staleness other) {
    return new LearnerOptions(
        aggregation, objective, kl, correction, rejection, offPolicy, old, credit, selection,
        sampling, other, adapter);
  }
}
