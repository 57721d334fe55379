package rubricem.gpu.train;

import rubricem.gpu.weights.QwenShape;

/**
 * How many floating-point operations a training step needs at least: twice the matrix weights and
 * the pairs of tokens for forward, twice that for backward. What is computed again to save memory
 * does not count, so a utilisation by this figure is never flattered.
 */
public final class StepFlops {
  private StepFlops() {}

  /**
   * @param adapter where only one is trained, no gradients of the base are needed
   * @param tokens that go through the model
   * @param scored tokens that go through the output head
   * @param attended pairs of tokens: half the sum of squared lengths
   */
  public static double of(
      QwenShape s, boolean adapter, long tokens, long scored, long attended) {
    double embedding = (double) s.vocabulary() * s.hidden();
    double inner = s.parameters() - embedding * (s.tied() ? 1 : 2);
    double each = adapter ? 4 : 6;
    double attention = 12.0 * s.layers() * s.heads() * s.headSize() * attended;
    return each * (inner * tokens + embedding * scored) + attention;
  }
}
