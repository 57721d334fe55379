package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.LoraPair;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/** The backward that is written by hand, against automatic differentiation and differences. */
class AutogradOracleTest {
  private static final int[] LENGTHS = {2, 9, 9, 17, 5};

  private static double[] slopes(List<Document> documents, long seed) {
    int scored = 0;
    for (Document document : documents) {
      for (boolean one : document.scored()) {
        scored += one ? 1 : 0;
      }
    }
    return new SplittableRandom(seed).doubles(scored, -1, 1).toArray();
  }

  private static Map<String, double[]> gradients(
      Qwen3 model, List<Document> documents, double[] slopes, ForwardPlan plan) {
    try (NDManager scope = model.manager().newSubManager()) {
      Arrays into = model.gradients(scope);
      ForwardPass pass = model.forward(scope, MicroBatch.of(documents), plan);
      model.backward(pass, slopes, into);
      Map<String, double[]> out = new HashMap<>();
      model.named(into).forEach((name, tensor) -> out.put(name, tensor.toDoubles()));
      return out;
    }
  }

  private static double norm(double[] values) {
    return Math.sqrt(java.util.Arrays.stream(values).map(v -> v * v).sum());
  }

  private static void assertClose(
      Map<String, double[]> expected, Map<String, double[]> got, double tolerance) {
    assertEquals(expected.keySet(), got.keySet());
    expected.forEach(
        (name, values) -> {
          double scale = norm(values);
          assertTrue(scale > 0, name + " has no gradient at all: " + scale);
          double[] difference = new double[values.length];
          java.util.Arrays.setAll(difference, i -> values[i] - got.get(name)[i]);
          assertTrue(
              norm(difference) <= tolerance * scale,
              () -> name + " is " + norm(difference) / scale + " off");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "4, 4, 6, true", "4, 2, 10, false", "4, 1, 14, true", "8, 2, 2, false", "2, 2, 22, true",
    "1, 1, 6, false"
  })
  void values_and_gradients_are_those_of_autograd(int heads, int kvHeads, int size, boolean tied)
      throws Exception {
    long seed = 31L * heads + kvHeads + size;
    QwenShape shape = QwenShape.of(43, 20, 2, heads, kvHeads, size, 28, tied, 64);
    Map<String, StoredTensor> weights = RandomQwen.weights(shape, seed);
    List<Document> documents = RandomQwen.documents(shape, seed, LENGTHS);
    double[] slopes = slopes(documents, seed);
    try (AutogradQwen3 oracle = new AutogradQwen3(shape, weights);
        Qwen3 model =
            Qwen3.of(
                shape, weights::get, Device.cpu(), Precision.FP64, RotaryFrequencies.FLOAT32,
                null)) {
      AutogradQwen3.Result expected = oracle.run(documents, slopes);
      double[] logProbs =
          model.logprobs(MicroBatch.of(documents), ForwardPlan.keepAll()).logProbs();
      assertArrayEquals(expected.logProbs(), logProbs, 1e-11);
      assertClose(
          expected.gradients(), gradients(model, documents, slopes, ForwardPlan.keepAll()), 1e-10);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.6, 1000", "0.6, 7", "1.7, 1000", "1, 1000"})
  void a_temperature_and_entropies_are_those_of_autograd_too(double heat, int chunk)
      throws Exception {
    QwenShape shape = RandomQwen.shape(false);
    Map<String, StoredTensor> weights = RandomQwen.weights(shape, 9);
    List<Document> documents = RandomQwen.documents(shape, 9, LENGTHS);
    double[] slopes = slopes(documents, 9);
    ForwardPlan plan = new ForwardPlan(Integer.MAX_VALUE, chunk, heat, true);
    try (AutogradQwen3 oracle = new AutogradQwen3(shape, weights);
        Qwen3 model =
            Qwen3.of(
                shape, weights::get, Device.cpu(), Precision.FP64, RotaryFrequencies.FLOAT32,
                null)) {
      AutogradQwen3.Result expected = oracle.run(documents, slopes, heat);
      Scores scores = model.logprobs(MicroBatch.of(documents), plan);
      assertArrayEquals(expected.logProbs(), scores.logProbs(), 1e-11);
      assertArrayEquals(expected.entropies(), scores.entropies(), 1e-10);
      assertClose(expected.gradients(), gradients(model, documents, slopes, plan), 1e-10);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void layers_that_are_computed_again_and_scores_in_chunks_change_nothing(boolean tied)
      throws Exception {
    QwenShape shape = RandomQwen.shape(tied);
    Map<String, StoredTensor> weights = RandomQwen.weights(shape, 5);
    // beyond one block of attention, and beyond what blocks are used for
    List<Document> documents = RandomQwen.documents(shape, 5, 2, 9, 9, 140, 600);
    double[] slopes = slopes(documents, 5);
    try (Qwen3 model =
        Qwen3.of(
            shape, weights::get, Device.cpu(), Precision.FP64, RotaryFrequencies.FLOAT32, null)) {
      for (List<Document> batch : List.of(documents, documents.subList(0, 4))) {
        double[] own = java.util.Arrays.copyOf(slopes, slopes(batch, 5).length);
        Map<String, double[]> all = gradients(model, batch, own, ForwardPlan.keepAll());
        for (int kept : new int[] {0, 1, 2}) {
          for (int chunk : new int[] {7, 100_000}) {
            ForwardPlan plan = new ForwardPlan(kept, chunk, 1, chunk == 7);
            assertClose(all, gradients(model, batch, own, plan), 1e-12);
            double[] expected =
                model.logprobs(MicroBatch.of(batch), ForwardPlan.keepAll()).logProbs();
            assertArrayEquals(
                expected, model.logprobs(MicroBatch.of(batch), plan).logProbs(), 1e-12);
          }
        }
      }
    }
  }

  @Test
  void gradients_of_an_adapter_are_those_of_differences() throws Exception {
    QwenShape shape = RandomQwen.shape(true);
    LoraConfig config =
        LoraConfig.of(
            3, 6,
            List.of(
                "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
            "");
    LoraWeights lora = RandomQwen.adapter(shape, config, 3);
    List<Document> documents = RandomQwen.documents(shape, 3, 6, 11);
    double[] slopes = slopes(documents, 3);
    Map<String, double[]> ours;
    try (Qwen3 model = open(shape, lora)) {
      ours = gradients(model, documents, slopes, new ForwardPlan(1, 5, 1, false));
    }
    assertEquals(2 * 7 * shape.layers(), ours.size());
    SplittableRandom random = new SplittableRandom(8);
    for (String module : lora.pairs().keySet()) {
      boolean up = random.nextBoolean();
      LoraPair pair = lora.pairs().get(module);
      StoredTensor tensor = up ? pair.up() : pair.down();
      int element = random.nextInt(tensor.toDoubles().length);
      double step = 1e-5;
      double difference =
          (loss(shape, moved(lora, module, up, element, step), documents, slopes)
                  - loss(shape, moved(lora, module, up, element, -step), documents, slopes))
              / (2 * step);
      double[] gradient = ours.get(tensor.name());
      double scale = norm(gradient) / Math.sqrt(gradient.length);
      assertEquals(difference, gradient[element], 1e-6 * Math.max(scale, 1), tensor.name());
    }
  }

  private static Qwen3 open(QwenShape shape, LoraWeights lora) throws Exception {
    Map<String, StoredTensor> weights = RandomQwen.weights(shape, 3);
    return Qwen3.of(
        shape, weights::get, Device.cpu(), Precision.FP64, RotaryFrequencies.FLOAT32, lora);
  }

  private static double loss(
      QwenShape shape, LoraWeights lora, List<Document> documents, double[] slopes)
      throws Exception {
    try (Qwen3 model = open(shape, lora)) {
      double[] logProbs =
          model.logprobs(MicroBatch.of(documents), ForwardPlan.keepAll()).logProbs();
      double sum = 0;
      for (int i = 0; i < slopes.length; i++) {
        sum += slopes[i] * logProbs[i];
      }
      return sum;
    }
  }

  private static LoraWeights moved(
      LoraWeights lora, String module, boolean up, int element, double by) {
    LoraPair pair = lora.pairs().get(module);
    StoredTensor tensor = up ? pair.up() : pair.down();
    double[] values = tensor.toDoubles();
    values[element] += by;
    StoredTensor moved = StoredTensor.of(tensor.name(), Dtype.F64, tensor.shape(), values);
    Map<String, LoraPair> pairs = new HashMap<>(lora.pairs());
    pairs.put(
        module,
        new LoraPair(module, up ? pair.down() : moved, up ? moved : pair.up()));
    return new LoraWeights(lora.adapted(), lora.config(), pairs);
  }
}
