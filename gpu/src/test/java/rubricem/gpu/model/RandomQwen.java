package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.LoraPair;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;
import rubricem.gpu.weights.StoredTensor;

/**
 * Small models for tests whose weights are far from their start: attention looks somewhere, norms
 * are not one, and log-probabilities differ.
 */
public final class RandomQwen {
  private static final double SPREAD = 0.25;

  private RandomQwen() {}

  /** Heads times head size is not the hidden size. */
  public static QwenShape shape(boolean tied) {
    return QwenShape.of(61, 24, 3, 4, 2, 10, 36, tied, 1024);
  }

  public static Map<String, StoredTensor> weights(QwenShape shape, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, StoredTensor> out = new HashMap<>();
    QwenTensors.shapes(shape)
        .forEach(
            (name, spec) -> {
              double[] values = new double[(int) spec.elements()];
              for (int i = 0; i < values.length; i++) {
                double one = SPREAD * random.nextGaussian();
                // exact in 32 bits, so that every precision has the same weights
                values[i] = (float) (spec.shape().length == 1 ? 1 + one : one);
              }
              out.put(name, StoredTensor.of(name, Dtype.F64, spec.shape(), values));
            });
    return out;
  }

  /** An adapter that already changes something. */
  public static LoraWeights adapter(QwenShape shape, LoraConfig config, long seed) {
    LoraWeights fresh = LoraWeights.fresh(shape, config, seed);
    SplittableRandom random = new SplittableRandom(seed + 1);
    Map<String, LoraPair> pairs = new HashMap<>();
    fresh.pairs().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            e -> {
              StoredTensor up = e.getValue().up();
              double[] values = new double[up.toDoubles().length];
              for (int i = 0; i < values.length; i++) {
                values[i] = SPREAD * random.nextGaussian();
              }
              pairs.put(
                  e.getKey(),
                  new LoraPair(
                      e.getKey(), e.getValue().down(),
                      StoredTensor.of(up.name(), Dtype.F64, up.shape(), values)));
            });
    return new LoraWeights(fresh.adapted(), config, pairs);
  }

  /** A document each, all but the first token scored with probability 3/4, the last always. */
  public static List<Document> documents(QwenShape shape, long seed, int... lengths) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Document> out = new ArrayList<>();
    for (int length : lengths) {
      boolean[] scored = new boolean[length];
      for (int t = 1; t < length; t++) {
        scored[t] = t == length - 1 || random.nextInt(4) > 0;
      }
      int[] ids = random.ints(length, 0, shape.vocabulary()).toArray();
      out.add(new Document(ids, scored));
    }
    return out;
  }
}
