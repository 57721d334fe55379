package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.Golden;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.StoredTensor;

class GoldenForwardTest {
  @ParameterizedTest
  @CsvSource({
    "qwen3-tied, FP32, FLOAT32, 1e-4",
    "qwen3-tied, FP64, FLOAT32, 2e-6",
    "qwen3-untied-sharded-bf16, FP32, BFLOAT16, 1e-4",
    "qwen3-untied-sharded-bf16, FP64, BFLOAT16, 1e-5"
  })
  void logits_and_log_probabilities_are_those_of_transformers(
      String name, Precision precision, RotaryFrequencies rotary, double tolerance) throws Exception {
    JsonNode golden =
        Golden.json(name + ".forward.json");
    try (Qwen3 model = Qwen3.open(ModelFolder.open(Golden.file(name)), Device.cpu(), precision, rotary);
        NDManager scope = model.manager().newSubManager()) {
      for (JsonNode c : golden.get("cases")) {
        int[] ids = ints(c.get("input_ids"));
        double[] logits =
            Scores.doubles(
                model.logits(
                    scope,
                    new MicroBatch(
                        ids, java.util.stream.IntStream.range(0, ids.length).toArray(),
                        new int[][] {{1, ids.length}}, new int[] {ids.length - 1}, new int[1])));
        close(doubles(c.get("last_logits")), logits, tolerance);
        if (ids.length > 1) {
          Scores scores =
              model.logprobs(MicroBatch.of(List.of(Document.whole(ids))), ForwardPlan.keepAll());
          close(doubles(c.get("next_token_logprobs")), scores.logProbs(), tolerance);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FP32, 1e-4", "FP64, 1e-6"})
  void gradients_of_supervised_training_are_those_of_autograd(Precision precision, double tolerance)
      throws Exception {
    JsonNode golden = Golden.json("sft.json");
    try (Qwen3 model =
            Qwen3.open(
                ModelFolder.open(Golden.file("qwen3-tied")), Device.cpu(), precision);
        NDManager scope = model.manager().newSubManager()) {
      List<Document> rows = new java.util.ArrayList<>();
      for (JsonNode row : golden.get("rows")) {
        int[] mask = ints(row.get("train_mask"));
        boolean[] scored = new boolean[mask.length];
        for (int i = 0; i < mask.length; i++) {
          scored[i] = mask[i] == 1;
        }
        rows.add(new Document(ints(row.get("input_ids")), scored));
      }
      Arrays d = model.gradients(scope);
      ForwardPass pass = model.forward(scope, MicroBatch.of(rows), ForwardPlan.keepAll().withEntropy());
      double[] lp = pass.scores().logProbs();
      assertEquals(golden.get("loss").asDouble(), -java.util.Arrays.stream(lp).average().orElseThrow(), 1e-6);
      double[] slopes = new double[lp.length];
      java.util.Arrays.fill(slopes, -1.0 / lp.length);
      model.backward(pass, slopes, d);
      Map<String, StoredTensor> named = model.named(d);
      golden.get("grad_norms").properties().forEach(
          e -> assertEquals(
              e.getValue().asDouble(), norm(named.get(e.getKey()).toDoubles()),
              tolerance * e.getValue().asDouble(), e.getKey()));
    }
  }

  private static double norm(double[] x) {
    double s = 0;
    for (double v : x) {
      s += v * v;
    }
    return Math.sqrt(s);
  }

  private static void close(double[] expected, double[] got, double tolerance) {
    assertEquals(expected.length, got.length);
    for (int i = 0; i < got.length; i++) {
      assertEquals(expected[i], got[i], tolerance);
    }
  }

  private static int[] ints(JsonNode node) {
    int[] out = new int[node.size()];
    for (int i = 0; i < out.length; i++) {
      out[i] = node.get(i).asInt();
    }
    return out;
  }

  private static double[] doubles(JsonNode node) {
    double[] out = new double[node.size()];
    for (int i = 0; i < out.length; i++) {
      out[i] = node.get(i).asDouble();
    }
    return out;
  }
}
