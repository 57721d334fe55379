package rubricem.protocol.learning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.learning.LearnerOptions.OldPass;

class LearnerOptionsTest {
  private static final LearnerOptions PAPER = LearnerOptions.paper();

  private static LearnerOptions sampledFrom(OldPolicy.Source source) {
    return PAPER.with(new OldPolicy(source, 1));
  }

  /** Everything that compares with the sampler. */
  static Stream<LearnerOptions> comparing() {
    return Stream.of(
        PAPER.with(new SamplerCorrection.TokenTruncated(2)),
        PAPER.with(new SamplerCorrection.SequenceTruncated(2)),
        PAPER.with(new SamplerCorrection.Masked(.5, 5)),
        PAPER.with(new SamplerCorrection.ProbabilityDifference(.3)),
        PAPER.with(new SequenceRejection(SequenceRejection.Statistic.GEOMETRIC, .9, 1.1, 0)),
        PAPER.with(new SequenceRejection(SequenceRejection.Statistic.NONE, .9, 1.1, 1e-4)),
        PAPER.with(new OffPolicyMasking.Above(.1)));
  }

  @ParameterizedTest
  @MethodSource("comparing")
  void L42_filters_of_the_sampler_are_refused_where_its_log_probabilities_are_compared(
      LearnerOptions options) {
    refused("top-p", () -> options.with(new Sampling(1, .9, 0)));
    refused("top-k", () -> options.with(new Sampling(1, 1, 50)));
    assertTrue(PAPER.with(new Sampling(1, .9, 50)).sampling().filtered());
    assertEquals(.6, options.with(new Sampling(.6, 1, 0)).sampling().temperature());
  }

  @Test
  void L42_filters_are_refused_too_where_the_sampler_is_the_old_policy() {
    refused(
        "top-p",
        () -> sampledFrom(OldPolicy.Source.RECORDED_SAMPLER).with(new Sampling(1, .9, 0)));
  }

  @ParameterizedTest
  @MethodSource("comparing")
  void comparing_the_sampler_with_itself_is_refused(LearnerOptions options) {
    refused(
        "RECOMPUTED",
        () -> options.with(new OldPolicy(OldPolicy.Source.RECORDED_SAMPLER, 1)));
    assertEquals(OldPass.PASS_BEFORE, options.oldPass());
  }

  @Test
  void a_further_pass_is_made_only_where_something_needs_it() {
    assertEquals(OldPass.SAME_PASS, PAPER.oldPass());
    assertEquals(
        OldPass.FROM_SAMPLER, sampledFrom(OldPolicy.Source.RECORDED_SAMPLER).oldPass());
    assertEquals(OldPass.PASS_BEFORE, sampledFrom(OldPolicy.Source.RECOMPUTED).oldPass());
    assertEquals(
        OldPass.PASS_BEFORE,
        PAPER.with(new OldPolicy(OldPolicy.Source.OWN_FIRST_PASS, 2)).oldPass());
  }

  @Test
  void numbers_that_an_option_cannot_have_are_refused_by_their_key() {
    refused("loss.divisor", () -> new Aggregation.ConstantDivisor(0));
    refused("objective.clipped.low", () -> new Objective.Clipped(1.1, .2));
    refused("objective.cispo.high", () -> new Objective.Cispo(1, Double.NaN));
    refused("kl.coefficient", () -> new KlPenalty(-1, KlPenalty.Estimator.K3, false, 10));
    refused("kl.log-ratio-max", () -> new KlPenalty(1, KlPenalty.Estimator.K3, false, 0));
    refused("kl.unbiased", () -> new KlPenalty(1, KlPenalty.Estimator.K2, true, 10));
    refused("token-cap", () -> new SamplerCorrection.TokenTruncated(0));
    refused("masked.high", () -> new SamplerCorrection.Masked(2, 1));
    refused("veto", () -> new SequenceRejection(SequenceRejection.Statistic.NONE, 1, 1, 2));
    refused("updates-per-batch", () -> new OldPolicy(OldPolicy.Source.RECOMPUTED, 0));
    refused("entropy-share", () -> new TokenSelection(false, false, 0));
    refused("temperature", () -> new Sampling(0, 1, 0));
    refused("staleness.max", () -> new Staleness(-1));
    refused("adapter.rank", () -> new Adapter(-1, 16));
    refused(
        "survivors-min",
        () -> new Credit(
            Credit.Mode.STAGES, List.of(), Credit.Scale.NONE, 0, 1e-6, false,
            Credit.Unit.RETURNS, 1));
  }

  private static void refused(String key, Supplier<?> making) {
    var refused = assertThrows(IllegalArgumentException.class, making::get);
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
  }
}
