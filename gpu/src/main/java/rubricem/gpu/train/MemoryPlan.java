package rubricem.gpu.train;

import rubricem.gpu.model.ForwardPlan;
import rubricem.gpu.model.QwenProgram;
import rubricem.gpu.weights.QwenShape;

/**
 * What is kept of a forward so that a micro-batch stays within a share of memory: as many layers
 * as fit keep their inner values, the others are computed again in backward. The estimate counts
 * the arrays the programs keep, in elements, times the bytes of one; it leaves out what libtorch
 * holds back for reuse.
 */
public final class MemoryPlan {
  private MemoryPlan() {}

  /**
   * @param tokens of the largest micro-batch
   * @param bytes for one worker's micro-batch
   * @param bytesOfElement 4 or 8
   * @param scoredElements rows times vocabulary that may be scored at once
   * @throws IllegalArgumentException where even without keeping any layer it does not fit
   */
  public static ForwardPlan of(
      QwenShape shape, int tokens, long bytes, int bytesOfElement, long scoredElements,
      double temperature, boolean entropy) {
    int chunk = (int) Math.max(1, Math.min(tokens, scoredElements / shape.vocabulary()));
    long scoring = 2L * chunk * shape.vocabulary() * bytesOfElement;
    long oneLayer = 2 * layerElements(shape) * tokens * bytesOfElement;
    long inputs = (long) shape.layers() * shape.hidden() * tokens * bytesOfElement;
    long left = bytes - scoring - oneLayer - inputs;
    if (left < 0) {
      throw new IllegalArgumentException(
          "a micro-batch of " + tokens + " tokens needs "
              + (scoring + oneLayer + inputs) / 1_000_000 + " MB, and "
              + bytes / 1_000_000 + " MB are allowed for one worker; raise"
              + " rubricem.learner.device.memory, or lower workers or the longest sequence");
    }
    long kept = left / (layerElements(shape) * tokens * bytesOfElement);
    return new ForwardPlan(
        (int) Math.min(shape.layers(), kept), chunk, temperature, entropy);
  }

  /** Elements that a layer keeps for each token. */
  static long layerElements(QwenShape s) {
    long query = (long) s.heads() * s.headSize();
    long queryKey = (long) (s.heads() + s.kvHeads()) * s.headSize();
    // two normed inputs, normed heads, query and spread key and value, attention, gate and up
    long values = 2L * s.hidden() + queryKey + 3 * query + query + 2L * s.intermediate();
    // half the square of a short document's probabilities for each head
    return values + (long) s.heads() * QwenProgram.BLOCKS_UP_TO / 2;
  }
}
