package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/** What documents begin with in common goes through the model once, to the same numbers. */
class SharedRowsTest {
  private static final QwenShape SHAPE = RandomQwen.shape(true);

  @Test
  void a_beginning_in_common_is_there_once() {
    MicroBatch batch =
        MicroBatch.of(
            List.of(
                Document.whole(new int[] {5, 6, 7}), Document.whole(new int[] {5, 6, 8, 9}),
                Document.whole(new int[] {5, 6, 8, 4})));
    assertArrayEquals(new int[] {5, 6, 7, 8, 9, 4}, batch.ids());
    assertArrayEquals(new int[] {0, 1, 2, 2, 3, 3}, batch.positions());
    assertArrayEquals(new int[] {0, 1, 0, 1, 3, 0, 1, 3}, batch.rows());
    assertArrayEquals(new int[] {6, 7, 6, 8, 9, 6, 8, 4}, batch.targets());
    assertArrayEquals(new int[] {0, 1, 2, 0, 1, 3, 4, 0, 1, 3, 5}, batch.shared().whole());
  }

  @Test
  void documents_with_little_in_common_stay_whole() {
    SplittableRandom random = new SplittableRandom(2);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int[] ids = random.ints(40, 0, 50).toArray();
      ids[0] = 1;
      documents.add(Document.whole(ids));
    }
    MicroBatch batch = MicroBatch.of(documents);
    assertTrue(batch.shared().isNone());
    assertEquals(160, batch.ids().length);
  }

  @ParameterizedTest
  @CsvSource({"20, 3, 100000, false", "20, 1, 7, false", "550, 0, 100000, false", "20, 1, 7, true"})
  void scores_and_gradients_are_those_of_documents_alone(
      int prompt, int kept, int chunk, boolean adapter) throws Exception {
    LoraConfig config = LoraConfig.of(3, 6, List.of("q_proj", "o_proj", "down_proj"), "");
    LoraWeights lora = adapter ? RandomQwen.adapter(SHAPE, config, 3) : null;
    List<Document> documents = group(prompt, 9, 40, 25, 9);
    try (Qwen3 model = open(lora);
        NDManager scope = model.manager().newSubManager()) {
      ForwardPlan plan = new ForwardPlan(kept, chunk, 0.7, false);
      Arrays together = model.gradients(scope);
      Arrays alone = model.gradients(scope);
      assertTrue(!MicroBatch.of(documents).shared().isNone());
      double[] got = pass(model, scope, documents, 0, plan, together, true);
      int at = 0;
      for (Document document : documents) {
        double[] expected = pass(model, scope, List.of(document), at, plan, alone, at == 0);
        assertArrayEquals(
            expected, java.util.Arrays.copyOfRange(got, at, at + expected.length), 1e-11);
        at += expected.length;
      }
      Map<String, StoredTensor> expected = model.named(alone);
      model.named(together).forEach(
          (name, values) ->
              assertArrayEquals(
                  expected.get(name).toDoubles(), values.toDoubles(), 1e-11, name));
      assertArrayEquals(
          got, model.logprobs(MicroBatch.of(documents), plan).logProbs(), 1e-11);
    }
  }

  private static Qwen3 open(@Nullable LoraWeights lora) throws Exception {
    return Qwen3.of(
        SHAPE, RandomQwen.weights(SHAPE, 4)::get, Device.cpu(), Precision.FP64,
        RotaryFrequencies.FLOAT32, lora);
  }

  /** Slopes depend on where a score lies among all, so that none stands for another. */
  private static double[] pass(
      Qwen3 model, NDManager scope, List<Document> documents, int from, ForwardPlan plan,
      Arrays into, boolean first) {
    ForwardPass pass = model.forward(scope, MicroBatch.of(documents), plan);
    double[] scores = pass.scores().logProbs();
    double[] slopes = new double[scores.length];
    java.util.Arrays.setAll(slopes, i -> Math.sin(from + i));
    model.backward(pass, slopes, into, first);
    return scores;
  }

  private static List<Document> group(int prompt, int... responses) {
    SplittableRandom random = new SplittableRandom(6);
    int[] common = random.ints(prompt, 0, SHAPE.vocabulary()).toArray();
    List<Document> out = new ArrayList<>();
    for (int response : responses) {
      int[] ids = java.util.Arrays.copyOf(common, prompt + response);
      boolean[] scored = new boolean[ids.length];
      for (int i = prompt; i < ids.length; i++) {
        ids[i] = random.nextInt(SHAPE.vocabulary());
        scored[i] = true;
      }
      out.add(new Document(ids, scored));
    }
    return out;
  }
}
