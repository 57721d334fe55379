package rubricem.gpu.weights;

import java.util.List;

/**
 * What an adapter is: rank, strength and where it sits. The product of its two matrices is added to
 * a linear layer times {@link #scale}.
 *
 * @param rankStabilised divides the strength by the root of the rank instead of the rank
 * @param targets names of linear layers, as PEFT matches them: a whole name or its last parts
 * @param dropout only while PEFT trains it further; ours does not apply it
 * @param baseModel where the base model lies, as written; may be empty
 */
public record LoraConfig(
    int rank,
    double alpha,
    boolean rankStabilised,
    LoraTargets targets,
    double dropout,
    String baseModel) {
  public LoraConfig {
    if (rank < 1 || !Double.isFinite(alpha)) {
      throw new IllegalArgumentException("rank " + rank + " and alpha " + alpha);
    }
  }

  /** On the linear layers of these short names, such as {@code q_proj}. */
  public static LoraConfig of(int rank, double alpha, List<String> targets, String baseModel) {
    return new LoraConfig(rank, alpha, false, new LoraTargets.Names(targets), 0, baseModel);
  }

  public double scale() {
    return alpha / (rankStabilised ? Math.sqrt(rank) : rank);
  }
}
