package rubricem.gpu.train;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;

/**
 * AdamW over the trained arrays of a model, by libtorch's fused kernel, with the gradient clipped
 * by its norm over all arrays. A gradient that is not finite changes nothing.
 */
public final class AdamW implements AutoCloseable {
  private final Script program;
  private final Arrays trained;
  private final AdamWOptions options;
  private final NDManager manager;
  private final Arrays firstMoments;
  private final Arrays secondMoments;
  private final Arrays steps;

  public AdamW(Qwen3 model, AdamWOptions options) {
    this.options = options;
    program = model.weightsProgram();
    trained = model.trained();
    manager = model.manager().newSubManager();
    firstMoments = Arrays.of("u", zeros());
    secondMoments = Arrays.of("v", zeros());
    List<NDArray> counters = new ArrayList<>();
    for (int i = 0; i < trained.size(); i++) {
      counters.add(manager.zeros(new Shape(), DataType.FLOAT32));
    }
    steps = Arrays.of("t", counters);
  }

  private List<NDArray> zeros() {
    List<NDArray> arrays = new ArrayList<>();
    for (int i = 0; i < trained.size(); i++) {
      arrays.add(manager.zeros(trained.get(i).getShape(), trained.get(i).getDataType()));
    }
    return arrays;
  }

  /**
   * Steps the trained arrays.
   *
   * @param gradients in the order of the trained arrays; used up
   * @return the norm before clipping; where it is not finite nothing was changed
   */
  public double step(NDManager scope, Arrays gradients, double learningRate) {
    NDList norms = program.call(scope, "norms", gradients);
    double squares = 0;
    for (double norm : norms.get(0).toDoubleArray()) {
      squares += norm * norm;
    }
    double norm = Math.sqrt(squares);
    if (Double.isFinite(norm)) {
      // as PyTorch's clip_grad_norm_ has it, 1e-6 included
      double factor = Math.min(1, options.maxGradNorm() / (norm + 1e-6));
      NDArray constants =
          scope.create(
              new double[] {
                factor, learningRate, options.beta1(), options.beta2(), options.epsilon(),
                options.weightDecay()
              });
      program.call(
          scope, "adamw", trained, gradients, firstMoments, secondMoments, steps,
          Arrays.of("h", constants));
    }
    return norm;
  }

  /** First moments, second moments and step counters, in the order of the trained arrays. */
  public List<Arrays> state() {
    return List.of(firstMoments, secondMoments, steps);
  }

  @Override
  public void close() {
    manager.close();
  }
}
