package rubricem.gpu.verify;

import java.util.Arrays;

/** How far apart two rows of numbers are. What has no counterpart is an error, never left out. */
final class Deviations {
  private Deviations() {}

  /** The largest absolute difference; not a number where either row holds such. */
  static double absolute(double[] expected, double[] got) {
    sameLength(expected, got);
    double worst = 0;
    for (int i = 0; i < got.length; i++) {
      worst = Math.max(worst, Math.abs(expected[i] - got[i]));
    }
    return worst;
  }

  /** Of one number: relative to what is expected, absolute where that is 0. */
  static double relative(double expected, double got) {
    double difference = Math.abs(expected - got);
    return expected == 0 ? difference : difference / Math.abs(expected);
  }

  /** All absolute differences, ascending. */
  static double[] ascending(double[] expected, double[] got) {
    sameLength(expected, got);
    double[] all = new double[got.length];
    Arrays.setAll(all, i -> Math.abs(expected[i] - got[i]));
    Arrays.sort(all);
    return all;
  }

  private static void sameLength(double[] expected, double[] got) {
    if (expected.length != got.length) {
      throw new HandedProblem(
          expected.length + " numbers are handed, and " + got.length + " are computed");
    }
  }
}
