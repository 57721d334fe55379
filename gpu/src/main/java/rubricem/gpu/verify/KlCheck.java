package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import rubricem.gpu.loss.KlEstimate;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.KlPenalty.Estimator;

/**
 * The estimates of the KL, in their outcomes and in expectation, and the gradients they have: each
 * estimator, with or without the score term as the penalty takes it, must lead to the exact one.
 */
final class KlCheck {
  private static final double TOLERANCE = 1e-12;

  private static final List<String> PARTS =
      List.of("per_outcome", "expectation_under_p", "exact_kl", "exact_gradient_wrt_logits");

  private final Places places;
  private final String stem;
  private final JsonNode document;
  private final double[] p;
  private final double[] q;

  KlCheck(Places places, String stem, JsonNode document) {
    this.places = places;
    this.stem = stem;
    this.document = document;
    Handed.filled(document, "p");
    p = Handed.numbers(document, "p");
    q = Handed.numbers(document, "q");
    if (p.length != q.length) {
      throw new HandedProblem("p and q differ in length");
    }
  }

  void run() {
    places.absent(stem, document, PARTS);
    for (String part : List.of("per_outcome", "expectation_under_p")) {
      if (document.has(part)) {
        places.absent(stem + "/" + part, document.get(part), List.of("k1", "k2", "k3"));
      }
    }
    for (Estimator estimator : Estimator.values()) {
      String key = estimator.name().toLowerCase(Locale.ROOT);
      double[] values = values(estimator);
      if (document.path("per_outcome").has(key)) {
        double[] handed = Handed.numbers(document.get("per_outcome"), key);
        say(key + "_per_outcome", Deviations.absolute(handed, values));
      }
      if (document.path("expectation_under_p").has(key)) {
        double handed = Handed.number(document.get("expectation_under_p"), key);
        say(key + "_expectation", Math.abs(handed - expectation(values)));
      }
    }
    if (document.has("exact_kl")) {
      double kl = expectation(values(Estimator.K1));
      say("exact_kl", Math.abs(Handed.number(document, "exact_kl") - kl));
    }
    if (document.has("exact_gradient_wrt_logits")) {
      Map.of(
              "k1", new KlPenalty(1, Estimator.K1, false, KlPenalty.LOG_RATIO_MAX),
              "k2", new KlPenalty(1, Estimator.K2, false, KlPenalty.LOG_RATIO_MAX),
              "k3_unbiased", new KlPenalty(1, Estimator.K3, true, KlPenalty.LOG_RATIO_MAX))
          .entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(e -> gradient(e.getKey(), e.getValue()));
    }
  }

  private void gradient(String key, KlPenalty penalty) {
    double[] exact = Handed.numbers(document, "exact_gradient_wrt_logits");
    say(key + "_gradient_wrt_logits", Deviations.absolute(exact, gradient(penalty)));
  }

  /** The expectation under p of slope by log-probability, led on to the logits. */
  private double[] gradient(KlPenalty penalty) {
    double[] out = new double[p.length];
    for (int a = 0; a < p.length; a++) {
      KlEstimate estimate = estimate(penalty.estimator(), a);
      double slope =
          estimate.slope() + (penalty.withScoreTerm() ? estimate.value() : 0);
      for (int j = 0; j < p.length; j++) {
        out[j] += p[a] * slope * ((a == j ? 1 : 0) - p[j]);
      }
    }
    return out;
  }

  private KlEstimate estimate(Estimator estimator, int outcome) {
    double logRatio = Math.log(p[outcome]) - Math.log(q[outcome]);
    return KlEstimate.of(estimator, logRatio, KlPenalty.LOG_RATIO_MAX);
  }

  private double[] values(Estimator estimator) {
    double[] out = new double[p.length];
    Arrays.setAll(out, a -> estimate(estimator, a).value());
    return out;
  }

  private double expectation(double[] values) {
    double sum = 0;
    for (int a = 0; a < p.length; a++) {
      sum += p[a] * values[a];
    }
    return sum;
  }

  private void say(String quantity, double deviation) {
    places.checks().accept(Check.of(stem, quantity, deviation, TOLERANCE));
  }
}
