package rubricem.actors.extractive;

import java.util.Map;

/**
 * Nearness in meaning of two texts: the cosine of their vectors where both are known. Without
 * vectors everything goes by words; {@link #known} tells which it is.
 */
record Likeness(Map<String, float[]> vectors) {
  static final Likeness NONE = new Likeness(Map.of());

  boolean known(String a, String b) {
    return vectors.containsKey(a) && vectors.containsKey(b);
  }

  /** 0 where a vector is not known. */
  double of(String a, String b) {
    float[] x = vectors.get(a);
    float[] y = vectors.get(b);
    if (x == null || y == null || x.length != y.length) {
      return 0;
    }
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += (double) x[i] * y[i];
    }
    return sum;
  }
}
