package rubricem.gpu.weights;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The sizes and constants that make one Qwen3 differ from another, all that the mathematics needs
 * to know. Whoever holds one may rely on it: every size is positive, the query heads divide evenly
 * among the key heads, and the head size is even, as rotation needs it.
 *
 * @param kvHeads heads of keys and values, shared by {@code heads / kvHeads} query heads each
 * @param headSize of one head; {@code heads * headSize} need not be {@code hidden}
 * @param tied whether the embedding is the output head too
 * @param maxPositions longest sequence it was made for
 * @param eosIds tokens that end a text; empty where the model names none
 */
public record QwenShape(
    int vocabulary,
    int hidden,
    int layers,
    int heads,
    int kvHeads,
    int headSize,
    int intermediate,
    boolean tied,
    double ropeTheta,
    double rmsEpsilon,
    int maxPositions,
    List<Integer> eosIds,
    OptionalInt bosId,
    OptionalInt padId) {
  /** Far above any model there is; keeps products of two sizes within a long. */
  static final int SIZE_MAX = 1 << 24;

  public QwenShape {
    eosIds = List.copyOf(eosIds);
    String wrong =
        problem(vocabulary, hidden, layers, heads, kvHeads, headSize, intermediate, maxPositions)
            .or(() -> constants(ropeTheta, rmsEpsilon))
            .orElse("");
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(wrong);
    }
  }

  /** A shape without named tokens. */
  public static QwenShape of(
      int vocabulary, int hidden, int layers, int heads, int kvHeads, int headSize,
      int intermediate, boolean tied, int maxPositions) {
    return new QwenShape(
        vocabulary, hidden, layers, heads, kvHeads, headSize, intermediate, tied, 1e6, 1e-6,
        maxPositions, List.of(), OptionalInt.empty(), OptionalInt.empty());
  }

  private static Optional<String> problem(
      int vocabulary, int hidden, int layers, int heads, int kvHeads, int headSize,
      int intermediate, int maxPositions) {
    int[] sizes = {
      vocabulary, hidden, layers, heads, kvHeads, headSize, intermediate, maxPositions
    };
    for (int size : sizes) {
      if (size < 1 || size > SIZE_MAX) {
        return Optional.of("a size of " + size + "; each is between 1 and " + SIZE_MAX);
      }
    }
    if (heads % kvHeads != 0) {
      return Optional.of(heads + " heads do not divide among " + kvHeads + " key-value heads");
    }
    return headSize % 2 == 0
        ? Optional.empty()
        : Optional.of("a head size of " + headSize + "; rotation needs an even one");
  }

  private static Optional<String> constants(double ropeTheta, double rmsEpsilon) {
    boolean fine =
        ropeTheta > 0 && Double.isFinite(ropeTheta) && rmsEpsilon >= 0 && rmsEpsilon < 1;
    return fine
        ? Optional.empty()
        : Optional.of("rope theta " + ropeTheta + " and epsilon " + rmsEpsilon + " make no model");
  }

  /** All weights, a tied head counted once. */
  public long parameters() {
    return QwenTensors.shapes(this).values().stream().mapToLong(TensorSpec::elements).sum();
  }
}
