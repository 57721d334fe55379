package rubricem.gpu.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.testkit.Shared;

/** The eight handed variants of the loss, from the handed log-probabilities. */
class HandedLossTest {
  private static final JsonNode VARIANTS = Shared.goldenJson("ssgrpo.json").get("variants");

  static Stream<String> variants() {
    return VARIANTS.properties().stream().map(Map.Entry::getKey);
  }

  @Test
  void there_are_eight() {
    assertEquals(8, VARIANTS.size());
  }

  @ParameterizedTest
  @MethodSource("variants")
  void loss_penalty_tokens_and_clip_share_come_out(String name) {
    JsonNode variant = VARIANTS.get(name);
    Steps.Step step = Steps.handed();
    StepPlan plan = StepPlan.of(options(variant), 0, step.rollouts());
    LossPart part = new SurrogateLoss(plan).of(step.whole());
    assertEquals(variant.get("loss").asDouble(), part.loss(), 1e-12);
    assertEquals(variant.get("kl3_mean").asDouble(), part.sums().kl3().mean(), 1e-12);
    assertEquals(variant.get("tokens").asLong(), part.sums().tokens());
    assertEquals(variant.get("tokens").asLong(), plan.counts().trainedTokens());
    assertEquals(variant.get("clip_fraction").asDouble(), part.sums().clipShare(), 1e-12);
    assertTrue(part.finite());
  }

  static LearnerOptions options(JsonNode variant) {
    LearnerOptions options =
        LearnerOptions.paper()
            .with(
                switch (variant.get("aggregation").asText()) {
                  case "token_mean" -> (Aggregation) new Aggregation.TokenMean();
                  case "sequence_mean" -> new Aggregation.SequenceMean();
                  default -> new Aggregation.ConstantDivisor(variant.get("divisor").asDouble());
                })
            .with(objective(variant))
            .with(
                new KlPenalty(
                    variant.get("beta").asDouble(), KlPenalty.Estimator.K3, false,
                    KlPenalty.LOG_RATIO_MAX));
    return variant.has("tis_cap")
        ? options.with(new SamplerCorrection.TokenTruncated(variant.get("tis_cap").asDouble()))
        : options;
  }

  private static Objective objective(JsonNode variant) {
    double low = variant.get("clip_low").asDouble();
    double high = variant.get("clip_high").asDouble();
    if (variant.path("objective").asText().equals("cispo")) {
      return new Objective.Cispo(low, high);
    }
    return variant.path("ratio").asText().equals("sequence")
        ? new Objective.Gspo(low, high, Objective.RatioUnit.ROLLOUT)
        : new Objective.Clipped(low, high);
  }
}
