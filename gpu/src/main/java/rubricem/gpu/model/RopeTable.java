package rubricem.gpu.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import rubricem.gpu.weights.QwenShape;

/**
 * The rotations by position, [positions, head size / 2, 2]: cosine and sine of each angle. Angles
 * are rounded to 32 bits in every precision, as in the implementation that models are trained
 * with: at position 1,000 the rounding is part of the model.
 */
final class RopeTable {
  private RopeTable() {}

  static NDArray create(
      NDManager manager, QwenShape shape, Precision precision, RotaryFrequencies frequencies) {
    int half = shape.headSize() / 2;
    int positions = shape.maxPositions();
    double[] values = new double[positions * half * 2];
    for (int j = 0; j < half; j++) {
      float frequency =
          frequencies.rounded(
              1f / (float) Math.pow(shape.ropeTheta(), (float) (2 * j) / shape.headSize()));
      for (int t = 0; t < positions; t++) {
        float angle = t * frequency;
        values[(t * half + j) * 2] = (float) Math.cos(angle);
        values[(t * half + j) * 2 + 1] = (float) Math.sin(angle);
      }
    }
    Shape extent = new Shape(positions, half, 2);
    return precision == Precision.FP64
        ? manager.create(values, extent)
        : manager.create(Scores.narrow(values), extent);
  }
}
