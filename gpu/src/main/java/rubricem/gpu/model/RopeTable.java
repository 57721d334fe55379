package rubricem.gpu.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import rubricem.gpu.script.VectorMaths;
import rubricem.gpu.weights.QwenShape;

/**
 * The rotations by position, [positions, head size / 2, 2]: cosine and sine of each angle. Angles
 * are rounded to 32 bits in every precision, as in the implementation that models are trained
 * with: at position 1,000 the rounding is part of the model.
 */
final class RopeTable {
  private RopeTable() {}

  /** @param rounding with narrow norms cosines are libtorch's in 32 bits, up to an ulp off */
  static NDArray create(
      NDManager manager, QwenShape shape, Precision precision, ReferenceRounding rounding) {
    int half = shape.headSize() / 2;
    int positions = shape.maxPositions();
    double[] values = new double[positions * half * 2];
    float[] angles = new float[positions * half];
    for (int j = 0; j < half; j++) {
      float frequency =
          rounding.frequencies().rounded(
              1f / (float) Math.pow(shape.ropeTheta(), (float) (2 * j) / shape.headSize()));
      for (int t = 0; t < positions; t++) {
        float angle = t * frequency;
        angles[t * half + j] = angle;
        values[(t * half + j) * 2] = (float) Math.cos(angle);
        values[(t * half + j) * 2 + 1] = (float) Math.sin(angle);
      }
    }
    if (rounding.narrowNorms()) {
      libtorch(manager, angles, values);
    }
    Shape extent = new Shape(positions, half, 2);
    return precision == Precision.FP64
        ? manager.create(values, extent)
        : manager.create(Scores.narrow(values), extent);
  }

  private static void libtorch(NDManager manager, float[] angles, double[] values) {
    VectorMaths.settle(manager);
    try (NDManager scope = manager.newSubManager()) {
      NDArray on = scope.create(angles);
      float[] cosines = on.cos().toFloatArray();
      float[] sines = on.sin().toFloatArray();
      for (int i = 0; i < angles.length; i++) {
        values[2 * i] = cosines[i];
        values[2 * i + 1] = sines[i];
      }
    }
  }
}
