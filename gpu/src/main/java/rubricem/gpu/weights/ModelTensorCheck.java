package rubricem.gpu.weights;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Compares the tensors of a folder with those that its shape needs. One that is missing, unknown or
 * of another shape or kind is named: a model in which one tensor silently kept its first values
 * runs and is wrong.
 */
final class ModelTensorCheck {
  /** Enough to see the pattern; a wrong folder may have thousands. */
  private static final int NAMED_MAX = 5;

  private ModelTensorCheck() {}

  /** The specifications of the model's tensors as they are stored. */
  static List<TensorSpec> check(ShardedWeights weights, QwenShape shape) throws IOException {
    Map<String, TensorSpec> needed = QwenTensors.shapes(shape);
    List<TensorSpec> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> differing = new ArrayList<>();
    for (TensorSpec need : needed.values()) {
      TensorSpec stored = weights.spec(need.name()).orElse(null);
      if (stored == null) {
        missing.add(need.name());
      } else if (!stored.hasShape(need.shape()) || !stored.dtype().isReal()) {
        differing.add(stored + " instead of " + Arrays.toString(need.shape()) + " reals");
      } else {
        found.add(stored);
      }
    }
    List<String> unknown =
        weights.specs().stream()
            .map(TensorSpec::name)
            .filter(name -> !needed.containsKey(name))
            .filter(name -> !(shape.tied() && name.equals(QwenTensors.HEAD)))
            .toList();
    refuse(weights, "missing", missing);
    refuse(weights, "of another shape or type", differing);
    refuse(weights, "unknown", unknown);
    tiedHead(weights, shape);
    return List.copyOf(found);
  }

  private static void refuse(ShardedWeights weights, String what, List<String> names)
      throws IOException {
    if (names.isEmpty()) {
      return;
    }
    String more = names.size() > NAMED_MAX ? " and " + (names.size() - NAMED_MAX) + " more" : "";
    throw new UnusableFolderException(
        weights.folder(),
        "its weights do not fit its " + QwenConfig.FILE + "; " + what + ": "
            + String.join(", ", names.subList(0, Math.min(NAMED_MAX, names.size()))) + more);
  }

  private static void tiedHead(ShardedWeights weights, QwenShape shape) throws IOException {
    if (!shape.tied() || weights.spec(QwenTensors.HEAD).isEmpty()) {
      return;
    }
    StoredTensor embedding = weights.tensor(QwenTensors.EMBEDDING);
    if (!weights.tensor(QwenTensors.HEAD).renamed(QwenTensors.EMBEDDING).equals(embedding)) {
      throw new UnusableFolderException(
          weights.folder(),
          QwenTensors.HEAD + " differs from the embedding, but tie_word_embeddings is true;"
              + " set it to false if the head is meant");
    }
  }
}
