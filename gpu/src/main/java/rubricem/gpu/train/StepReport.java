package rubricem.gpu.train;

import org.jspecify.annotations.Nullable;
import rubricem.gpu.loss.LossSums;
import rubricem.gpu.loss.StepCounts;

/**
 * What one optimiser step did.
 *
 * @param loss of the whole step
 * @param counts of tokens before the step; null for supervised training
 * @param gradNorm before clipping
 * @param tokens that went through the model
 * @param seconds of forward, backward and update, passes for old and reference policy aside
 * @param skipped why nothing was changed; null where the weights were stepped
 */
public record StepReport(
    double loss,
    LossSums sums,
    @Nullable StepCounts counts,
    double gradNorm,
    double learningRate,
    long tokens,
    double seconds,
    @Nullable Skipped skipped) {

  /** Why a step changes nothing. */
  public enum Skipped {
    /** No token is left to train. */
    NOTHING_TO_TRAIN,
    /** A log-probability under the policy is no finite number. */
    NON_FINITE_LOSS,
    /** The gradient's norm is no finite number. */
    NON_FINITE_GRADIENT
  }
}
