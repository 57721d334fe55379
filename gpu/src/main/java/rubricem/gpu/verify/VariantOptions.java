package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import rubricem.protocol.learning.Aggregation;
import rubricem.protocol.learning.KlPenalty;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.Objective;
import rubricem.protocol.learning.OldPolicy;
import rubricem.protocol.learning.SamplerCorrection;
import rubricem.protocol.learning.TokenSelection;

/** The learner's options for a handed variant of the loss. What is not known is refused by name. */
final class VariantOptions {
  /** What a variant says of its outcome. */
  private static final List<String> OUTCOME =
      List.of("loss", "kl3_mean", "tokens", "clip_fraction", "grad_norm", "grad_norms");

  private static final List<String> OPTIONS =
      List.of(
          "clip_low", "clip_high", "beta", "aggregation", "divisor", "tis_cap", "ratio",
          "objective");

  /**
   * Handed numbers count the tokens of groups without any advantage in every variant, and ours only
   * where a penalty gives them something to learn. Products with this are 0.
   */
  private static final double NEXT_TO_NOTHING = Double.MIN_VALUE;

  private VariantOptions() {}

  static LearnerOptions of(JsonNode variant) {
    List<String> unknown =
        Handed.others(variant, OUTCOME).stream().filter(k -> !OPTIONS.contains(k)).toList();
    if (!unknown.isEmpty()) {
      throw new HandedProblem("the options " + unknown + " are not known here");
    }
    double beta = variant.has("beta") ? Handed.number(variant, "beta") : 0;
    LearnerOptions options =
        LearnerOptions.paper()
            .with(aggregation(variant))
            .with(objective(variant))
            .with(
                new KlPenalty(
                    beta == 0 ? NEXT_TO_NOTHING : beta, KlPenalty.Estimator.K3, false,
                    KlPenalty.LOG_RATIO_MAX))
            // the old log-probabilities are handed, whatever the policy says itself
            .with(new OldPolicy(OldPolicy.Source.RECOMPUTED, 1))
            // all trained tokens of the batch count, also those of groups without any advantage
            .with(new TokenSelection(true, false, 1));
    return variant.has("tis_cap")
        ? options.with(new SamplerCorrection.TokenTruncated(Handed.number(variant, "tis_cap")))
        : options;
  }

  private static Aggregation aggregation(JsonNode variant) {
    String name = Handed.text(variant, "aggregation");
    return switch (name) {
      case "token_mean" -> new Aggregation.TokenMean();
      case "sequence_mean" -> new Aggregation.SequenceMean();
      case "constant" -> new Aggregation.ConstantDivisor(Handed.number(variant, "divisor"));
      default -> throw unknown("aggregation", name);
    };
  }

  private static Objective objective(JsonNode variant) {
    double low = Handed.number(variant, "clip_low");
    double high = Handed.number(variant, "clip_high");
    String objective = variant.has("objective") ? Handed.text(variant, "objective") : "clipped";
    String ratio = variant.has("ratio") ? Handed.text(variant, "ratio") : "token";
    if (!ratio.equals("token") && !ratio.equals("sequence")) {
      throw unknown("ratio", ratio);
    }
    boolean sequence = ratio.equals("sequence");
    return switch (objective) {
      case "cispo" -> {
        if (sequence) {
          throw new HandedProblem("objective cispo has a ratio for each token here");
        }
        yield new Objective.Cispo(low, high);
      }
      case "clipped", "clip", "ppo", "grpo" ->
          sequence
              ? new Objective.Gspo(low, high, Objective.RatioUnit.ROLLOUT)
              : new Objective.Clipped(low, high);
      case "gspo" -> new Objective.Gspo(low, high, Objective.RatioUnit.ROLLOUT);
      default -> throw unknown("objective", objective);
    };
  }

  private static HandedProblem unknown(String key, String value) {
    return new HandedProblem("the option " + key + " = " + value + " is not known here");
  }
}
