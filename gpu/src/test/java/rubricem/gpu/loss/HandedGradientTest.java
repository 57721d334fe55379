package rubricem.gpu.loss;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.learning.SupervisedRow;
import rubricem.protocol.learning.TrainRollout;
import rubricem.testkit.Shared;

/**
 * Our derivatives led one step back through the handed model, to its last norm, whose gradient the
 * handed files have the length of. So the derivative of every variant is compared with PyTorch's.
 */
class HandedGradientTest {
  private static final JsonNode VARIANTS = Shared.goldenJson("ssgrpo.json").get("variants");
  private static final DoubleQwen3 MODEL = model();

  private static DoubleQwen3 model() {
    try {
      return new DoubleQwen3(Shared.golden("qwen3-tied"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static Stream<String> variants() {
    return VARIANTS.properties().stream().map(Map.Entry::getKey);
  }

  private static int[] ids(TrainRollout rollout) {
    int prompt = rollout.promptIds().length;
    int[] all = Arrays.copyOf(rollout.promptIds(), prompt + rollout.length());
    System.arraycopy(rollout.responseIds(), 0, all, prompt, rollout.length());
    return all;
  }

  /** Adds what the slope of each token means for the weight of the last norm. */
  private static void lead(
      double[] gradient, DoubleQwen3.Pass pass, int[] ids, int from, double[] slopes) {
    double[][] embedding = MODEL.embedding();
    for (int t = 0; t < slopes.length; t++) {
      int at = from + t - 1;
      for (int v = 0; slopes[t] != 0 && v < embedding.length; v++) {
        double logit =
            slopes[t] * ((v == ids[at + 1] ? 1 : 0) - Math.exp(pass.logProbs()[at][v]));
        for (int j = 0; j < gradient.length; j++) {
          gradient[j] += logit * embedding[v][j] * pass.normed()[at][j];
        }
      }
    }
  }

  private static double length(double[] vector) {
    return Math.sqrt(Arrays.stream(vector).map(x -> x * x).sum());
  }

  private static double handedNorm(JsonNode owner) {
    return owner.get("grad_norms").get("model.norm.weight").asDouble();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void derivatives_of_every_variant_are_the_handed_ones(String name) {
    Steps.Step step = Steps.handed();
    StepPlan plan =
        StepPlan.of(HandedLossTest.options(VARIANTS.get(name)), 0, step.rollouts());
    LossPart part = new SurrogateLoss(plan).of(step.whole());
    double[] gradient = new double[MODEL.embedding()[0].length];
    for (int r = 0; r < plan.size(); r++) {
      TrainRollout rollout = plan.rollout(r);
      int prompt = rollout.promptIds().length;
      int[] ids = ids(rollout);
      DoubleQwen3.Pass pass = MODEL.forward(ids);
      double[] own = Arrays.copyOfRange(pass.ofTokens(ids), prompt, ids.length);
      assertArrayEquals(step.logProbs()[r], own, 1e-5);
      lead(gradient, pass, ids, prompt, part.slopes()[r]);
    }
    double handed = handedNorm(VARIANTS.get(name));
    assertEquals(1, length(gradient) / handed, 1e-5);
  }

  @Test
  void the_supervised_loss_and_its_derivatives_are_the_handed_ones() {
    JsonNode handed = Shared.goldenJson("sft.json");
    List<SupervisedRow> rows = new ArrayList<>();
    List<DoubleQwen3.Pass> passes = new ArrayList<>();
    for (JsonNode row : handed.get("rows")) {
      int[] mask = Shared.ints(row.get("train_mask"));
      boolean[] trained = new boolean[mask.length];
      for (int t = 0; t < mask.length; t++) {
        trained[t] = mask[t] == 1;
      }
      rows.add(
          new SupervisedRow("row-" + rows.size(), Shared.ints(row.get("input_ids")), trained));
      passes.add(MODEL.forward(rows.getLast().ids()));
    }
    SupervisedLoss loss = new SupervisedLoss(rows);
    assertEquals(handed.get("trained_tokens").asLong(), loss.tokens());
    double sum = 0;
    double[] gradient = new double[MODEL.embedding()[0].length];
    for (int r = 0; r < rows.size(); r++) {
      int[] ids = rows.get(r).ids();
      LossPart part = loss.of(new int[] {r}, new double[][] {passes.get(r).ofTokens(ids)});
      sum += part.loss();
      lead(gradient, passes.get(r), ids, 0, part.slopes()[0]);
    }
    assertEquals(handed.get("loss").asDouble(), sum, 1e-6);
    assertEquals(1, length(gradient) / handedNorm(handed), 1e-5);
  }
}
