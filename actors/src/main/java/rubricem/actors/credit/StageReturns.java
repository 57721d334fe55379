package rubricem.actors.credit;

/**
 * G = Λ R: what each stage of a rollout is answerable for. A score that is missing where a weight
 * asks for it makes the return missing too.
 */
public final class StageReturns {
  private StageReturns() {}

  /** @param scores of the four stages, {@code NaN} where unscored */
  public static double[] of(StageWeights weights, double[] scores) {
    return weights.times(scores);
  }
}
