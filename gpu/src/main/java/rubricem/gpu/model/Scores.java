package rubricem.gpu.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;

/**
 * What the model says of each scored token.
 *
 * @param logProbs natural logarithms
 * @param entropies in nats; zeros unless asked for
 */
public record Scores(double[] logProbs, double[] entropies) {
  static Scores of(NDArray logProbs, NDArray entropies) {
    return new Scores(doubles(logProbs), doubles(entropies));
  }

  /** An array in the type of the model, widened. */
  public static double[] doubles(NDArray array) {
    if (array.getDataType() == DataType.FLOAT64) {
      return array.toDoubleArray();
    }
    float[] narrow = array.toFloatArray();
    double[] wide = new double[narrow.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = narrow[i];
    }
    return wide;
  }

  static float[] narrow(double[] wide) {
    float[] narrow = new float[wide.length];
    for (int i = 0; i < wide.length; i++) {
      narrow[i] = (float) wide[i];
    }
    return narrow;
  }

  static long[] widen(int[] narrow) {
    return java.util.Arrays.stream(narrow).asLongStream().toArray();
  }
}
