package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import rubricem.gpu.train.AdamWOptions;

/** The optimiser that a handed document says its step was made with, and its learning rate. */
public record HandedOptimiser(AdamWOptions options, double learningRate) {
  static final String KEY = "adamw";

  private static final List<String> KEYS =
      List.of("lr", "betas", "eps", "weight_decay", "max_grad_norm");

  /** @throws HandedProblem where it is incomplete, or says what is not known here */
  static HandedOptimiser of(JsonNode document) {
    JsonNode o = Handed.get(document, KEY);
    List<String> others = Handed.others(o, KEYS);
    if (!others.isEmpty()) {
      throw new HandedProblem("the keys " + others + " of " + KEY + " are not known");
    }
    double[] betas = Handed.numbers(o, "betas");
    if (betas.length != 2) {
      throw new HandedProblem(KEY + " has " + betas.length + " betas, and there are two");
    }
    AdamWOptions options =
        new AdamWOptions(
            betas[0], betas[1], Handed.number(o, "eps"), Handed.number(o, "weight_decay"),
            Handed.number(o, "max_grad_norm"));
    return new HandedOptimiser(options, Handed.number(o, "lr"));
  }
}
