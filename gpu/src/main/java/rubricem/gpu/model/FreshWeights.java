package rubricem.gpu.model;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.TensorSpec;

/**
 * Untrained weights: matrices normal with a spread of 0.02, norms one. Each depends on its name.
 */
public final class FreshWeights implements WeightSource {
  private static final double SPREAD = 0.02;

  private final Map<String, TensorSpec> shapes;
  private final long seed;

  public FreshWeights(QwenShape shape, long seed) {
    shapes = QwenTensors.shapes(shape);
    this.seed = seed;
  }

  @Override
  public StoredTensor tensor(String name) {
    long[] extent = shapes.get(name).shape();
    int size = 1;
    for (long side : extent) {
      size = Math.multiplyExact(size, Math.toIntExact(side));
    }
    RandomGenerator random = new SplittableRandom(seed * 31 + name.hashCode());
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = extent.length == 1 ? 1f : (float) (SPREAD * random.nextGaussian());
    }
    return StoredTensor.of(name, Dtype.F32, extent, values);
  }
}
