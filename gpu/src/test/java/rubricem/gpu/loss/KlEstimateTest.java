package rubricem.gpu.loss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.KlPenalty.Estimator;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TokenSelection;
import rubricem.protocol.learning.TrainRollout;
import rubricem.testkit.Shared;

/**
 * The three estimators against distributions whose KL and gradient are known. The gradients go
 * through the whole loss: each outcome is a rollout of one token without advantage, and their
 * derivatives are added up as chance would.
 */
class KlEstimateTest {
  private static final JsonNode HANDED = Shared.goldenJson("kl.json");
  private static final double[] P = Shared.doubles(HANDED.get("p"));
  private static final double[] Q = Shared.doubles(HANDED.get("q"));

  @ParameterizedTest
  @EnumSource
  void L44_values_are_the_handed_ones_per_outcome_and_in_expectation(Estimator estimator) {
    String name = estimator.name().toLowerCase(Locale.ROOT);
    double[] expected = Shared.doubles(HANDED.get("per_outcome").get(name));
    double expectation = 0;
    for (int a = 0; a < P.length; a++) {
      double value = KlEstimate.of(estimator, Math.log(P[a]) - Math.log(Q[a]), 10).value();
      assertEquals(expected[a], value, 1e-12);
      expectation += P[a] * value;
    }
    assertEquals(
        HANDED.get("expectation_under_p").get(name).asDouble(), expectation, 1e-12);
  }

  private static LearnerOptions options(double coefficient, Estimator estimator, boolean unbiased) {
    return LearnerOptions.paper()
        .with(new Aggregation.ConstantDivisor(1))
        .with(new TokenSelection(true, false, 1))
        .with(new KlPenalty(coefficient, estimator, unbiased, 10));
  }

  /** Σ p(a) dLoss/dlogp(a) · dlogp(a)/dlogits, of a policy p that was also the sampler. */
  private static double[] expectedGradient(LearnerOptions options) {
    List<TrainRollout> outcomes = new ArrayList<>();
    double[][] logProbs = new double[P.length][];
    for (int a = 0; a < P.length; a++) {
      logProbs[a] = new double[] {Math.log(P[a])};
      outcomes.add(
          Steps.rollout("q", "a" + a, new byte[] {4}, logProbs[a], 0, 0, 0, 0)
              .withReference(new double[] {Math.log(Q[a])}));
    }
    Steps.Step step = new Steps.Step(outcomes, logProbs);
    LossPart part = new SurrogateLoss(StepPlan.of(options, 0, outcomes)).of(step.whole());
    double[] gradient = new double[P.length];
    for (int a = 0; a < P.length; a++) {
      for (int logit = 0; logit < P.length; logit++) {
        double dlogp = (a == logit ? 1 : 0) - P[logit];
        gradient[logit] += P[a] * part.slopes()[a][0] * dlogp;
      }
    }
    return gradient;
  }

  @ParameterizedTest
  @CsvSource({"K1,false", "K1,true", "K2,false", "K3,true"})
  void L44_the_expected_gradient_is_that_of_the_kl(Estimator estimator, boolean unbiased) {
    double[] exact = Shared.doubles(HANDED.get("exact_gradient_wrt_logits"));
    assertArrayEquals(exact, expectedGradient(options(1, estimator, unbiased)), 1e-12);
  }

  @Test
  void L44_k3_without_the_score_term_has_the_gradient_of_the_kl_of_reference_to_policy() {
    double[] other = new double[P.length];
    for (int a = 0; a < P.length; a++) {
      other[a] = P[a] - Q[a];
    }
    assertArrayEquals(other, expectedGradient(options(1, Estimator.K3, false)), 1e-12);
  }

  @ParameterizedTest
  @EnumSource
  void L44_the_coefficient_has_an_effect(Estimator estimator) {
    double[] one = expectedGradient(options(1, estimator, false));
    double[] half = expectedGradient(options(.5, estimator, false));
    for (int a = 0; a < P.length; a++) {
      assertEquals(one[a] / 2, half[a], 1e-15);
    }
    assertNotEquals(0, one[0], 1e-3);
    assertTrue(
        StepPlan.of(options(0, estimator, false), 0,
            List.of(Steps.rollout("q", "a", new byte[] {4}, new double[] {-1}, 0, 0, 0, 0)))
            .skipped());
  }

  @ParameterizedTest
  @CsvSource({
    "0.5,0.1065306597", "-0.5,0.1487212707", "1,0.3678794412", "-1,0.7182818285", "0,0",
    "40,9.0000453999", "-40,22015.4657948067"
  })
  void k3_is_the_specifications_and_clamped_at_ten(double logRatio, double expected) {
    assertEquals(expected, KlEstimate.of(Estimator.K3, logRatio, 10).value(), 1e-9);
    assertEquals(
        Math.abs(logRatio) > 10 ? 0 : -Math.expm1(-logRatio),
        KlEstimate.of(Estimator.K3, logRatio, 10).slope(), 1e-15);
  }

  @Test
  void k3_keeps_its_digits_near_zero() {
    assertEquals(5e-17, KlEstimate.of(Estimator.K3, 1e-8, 10).value(), 5e-17);
  }
}
