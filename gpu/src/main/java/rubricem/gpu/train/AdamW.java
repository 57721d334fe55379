package rubricem.gpu.train;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.TrainedArrays;
import rubricem.gpu.model.WeightShare;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.TensorSpec;

/**
 * AdamW over the trained arrays of a model, by libtorch's fused kernel, with the gradient clipped
 * by its norm over all arrays. Whether that norm is finite is for the caller to see to.
 */
public final class AdamW implements AutoCloseable {
  private static final String FIRST = ".exp_avg";
  private static final String SECOND = ".exp_avg_sq";
  private static final String STEP = "step";

  private final Script program;
  private final Arrays trained;
  private final AdamWOptions options;
  private final DataType type;
  private NDManager manager;
  private Arrays firstMoments;
  private Arrays secondMoments;
  private Arrays steps;

  public AdamW(Qwen3 model, AdamWOptions options) {
    this.options = options;
    program = model.weightsProgram();
    trained = model.trained();
    type = model.type();
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

  /** The norm of each array. */
  double[] norms(NDManager scope, Arrays gradients) {
    return program.call(scope, "norms", gradients).get(0).toDoubleArray();
  }

  /**
   * Steps the trained arrays of a share; other threads may step other shares meanwhile.
   *
   * @param gradients in the order of the share; used up
   * @param norm of all gradients together, before clipping
   */
  void step(
      NDManager scope, WeightShare share, Arrays gradients, double norm, double learningRate) {
    // as PyTorch's clip_grad_norm_ has it, 1e-6 included
    double factor = Math.min(1, options.maxGradNorm() / (norm + 1e-6));
    NDArray constants =
        scope.create(
            new double[] {
              factor, learningRate, options.beta1(), options.beta2(), options.epsilon(),
              options.weightDecay()
            });
    int[] own = share.trained();
    program.call(
        scope, "adamw", trained.pick(own), gradients, firstMoments.pick(own),
        secondMoments.pick(own), steps.pick(own), Arrays.of("h", constants));
  }

  /** First moments, second moments and step counters, in the order of the trained arrays. */
  public List<Arrays> state() {
    return List.of(firstMoments, secondMoments, steps);
  }

  /**
   * Writes moments and step counters under the names that the trained tensors have in a folder.
   *
   * @param layout of the trained arrays
   */
  void write(Path file, TrainedArrays layout) throws IOException {
    Dtype stored = type == DataType.FLOAT64 ? Dtype.F64 : Dtype.F32;
    List<TensorSpec> specs = new ArrayList<>();
    for (String name : layout.names()) {
      specs.add(new TensorSpec(name + FIRST, stored, layout.shape(name)));
      specs.add(new TensorSpec(name + SECOND, stored, layout.shape(name)));
    }
    specs.add(new TensorSpec(STEP, Dtype.F32, new long[0]));
    SafeTensors.write(
        file,
        specs,
        name ->
            name.equals(STEP)
                ? counter().bytes()
                : name.endsWith(FIRST)
                    ? layout.tensor(firstMoments, without(name, FIRST)).bytes()
                    : layout.tensor(secondMoments, without(name, SECOND)).bytes(),
        SafeTensors.PYTORCH);
  }

  // the fused kernel keeps one for each array, but all of them step together
  private StoredTensor counter() {
    return StoredTensor.of(
        STEP, Dtype.F32, new long[0], new float[] {steps.get(0).getFloat()});
  }

  private static String without(String name, String ending) {
    return name.substring(0, name.length() - ending.length());
  }

  /** Takes up moments and counters that {@link #write} wrote. */
  void read(Path file, TrainedArrays layout) throws IOException {
    SafeTensors stored = SafeTensors.open(file);
    float count = stored.tensor(STEP).toFloats()[0];
    NDManager fresh = manager.getParentManager().newSubManager();
    try {
      Arrays first =
          Arrays.of("u", layout.arrays(fresh, type, name -> stored.tensor(name + FIRST)));
      Arrays second =
          Arrays.of("v", layout.arrays(fresh, type, name -> stored.tensor(name + SECOND)));
      List<NDArray> counters = new ArrayList<>();
      for (int i = 0; i < trained.size(); i++) {
        counters.add(fresh.create(count));
      }
      manager.close();
      manager = fresh;
      firstMoments = first;
      secondMoments = second;
      steps = Arrays.of("t", counters);
    } catch (IOException | RuntimeException e) {
      if (manager != fresh) {
        fresh.close();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
