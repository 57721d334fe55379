package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/** Short documents and long ones take different ways through attention, to the same numbers. */
class AttentionPathsTest {
  private static final QwenShape SHAPE = QwenShape.of(50, 24, 2, 4, 2, 6, 20, true, 1024);

  @ParameterizedTest
  @EnumSource(value = Precision.class, names = {"FP32", "FP64"})
  void a_document_scores_alike_whether_something_long_lies_beside_it(Precision precision)
      throws Exception {
    double tolerance = precision == Precision.FP64 ? 1e-12 : 2e-5;
    Document first = document(300, 1);
    Document second = document(131, 2);
    Document longer = document(600, 3);
    try (Qwen3 model =
            Qwen3.of(
                SHAPE, new FreshWeights(SHAPE, 7), Device.cpu(), precision,
                RotaryFrequencies.FLOAT32, null);
        NDManager scope = model.manager().newSubManager()) {
      Arrays alone = model.gradients(scope);
      double[] short1 = pass(model, scope, List.of(first, second), 429, alone);
      Arrays beside = model.gradients(scope);
      double[] mixed = pass(model, scope, List.of(first, second, longer), 429, beside);
      assertArrayEquals(short1, java.util.Arrays.copyOf(mixed, short1.length), tolerance);
      Map<String, StoredTensor> expected = model.named(alone);
      model.named(beside).forEach(
          (name, got) -> assertArrayEquals(
              expected.get(name).toDoubles(), got.toDoubles(), tolerance * 10, name));
    }
  }

  /** Backward of the first {@code counted} scores alone. */
  private static double[] pass(
      Qwen3 model, NDManager scope, List<Document> documents, int counted, Arrays into) {
    ForwardPass pass = model.forward(scope, MicroBatch.of(documents), ForwardPlan.keepAll());
    double[] scores = pass.scores().logProbs();
    double[] slopes = new double[scores.length];
    for (int i = 0; i < counted; i++) {
      slopes[i] = Math.sin(i) / counted;
    }
    model.backward(pass, slopes, into);
    assertEquals(documents.stream().mapToInt(d -> d.ids().length - 1).sum(), scores.length);
    return scores;
  }

  private static Document document(int length, long seed) {
    return Document.whole(new SplittableRandom(seed).ints(length, 0, 50).toArray());
  }
}
