package rubricem.gpu.bench;

import rubricem.gpu.model.Precision;
import rubricem.gpu.train.StepFlops;
import rubricem.gpu.weights.QwenShape;

/**
 * What a part of a whole step cannot do without, so that its seconds can be held against what the
 * machine reaches. The prompt of a question counts once, however many completions it has; time
 * between products, and whatever is read again, is not in it.
 *
 * @param flops operations of matrix products
 * @param bytes of weights, keys and values that are read anew for every token; 0 where the same
 *     numbers serve so many rows that reading them is no limit
 */
public record PartCost(double flops, double bytes) {
  private static final PartCost NONE = new PartCost(0, 0);
  private static final int COMPLETIONS = WholeStepBench.QUESTIONS * WholeStepBench.GROUP;
  private static final int LENGTH = GenerationBench.PROMPT + GenerationBench.NEW;

  /** @param workers of the sampler, each of which reads all weights for its own sequences */
  public static PartCost of(
      QwenShape shape, Precision precision, StepParts.Part part, int workers) {
    long prompts = (long) WholeStepBench.QUESTIONS * GenerationBench.PROMPT;
    long drawn = (long) COMPLETIONS * GenerationBench.NEW;
    double all =
        StepFlops.of(
            shape, false, prompts + drawn, drawn, (long) COMPLETIONS * LENGTH * LENGTH / 2);
    return switch (part) {
      // forward is a third of a step
      case SAMPLE -> new PartCost(all / 3, sampled(shape, precision, workers));
      case REFERENCE -> new PartCost(all / 3, 0);
      case PASSES -> new PartCost(all, 0);
      case UPDATE, PUBLISH -> NONE;
    };
  }

  private static double sampled(QwenShape s, Precision precision, int workers) {
    double embedding = (double) s.vocabulary() * s.hidden();
    double inner = s.parameters() - embedding * (s.tied() ? 1 : 2);
    // the first token comes from the prompt's pass
    long steps = GenerationBench.NEW - 1L;
    long seen = steps * GenerationBench.PROMPT + steps * (steps + 1) / 2;
    double position = 2.0 * s.layers() * s.kvHeads() * s.headSize() * cached(precision);
    return steps * workers * (inner + embedding) * weight(precision)
        + COMPLETIONS * seen * position;
  }

  private static int weight(Precision precision) {
    return switch (precision) {
      case BF16 -> Short.BYTES;
      case FP32 -> Float.BYTES;
      case FP64 -> Double.BYTES;
    };
  }

  private static int cached(Precision precision) {
    return precision == Precision.FP64 ? Double.BYTES : Float.BYTES;
  }

  /**
   * Seconds below which this machine cannot come, were products and reading done side by side.
   *
   * @param gflops operations a nanosecond
   * @param gigabytes bytes read a nanosecond
   */
  public double floorSeconds(double gflops, double gigabytes) {
    return Math.max(flops / gflops, bytes / gigabytes) / 1e9;
  }
}
