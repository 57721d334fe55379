package rubricem.gpu.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.gpu.model.FusedLayout.Part;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/**
 * A Qwen3 on a device that can be trained whole: master weights, the effective weights that the
 * programs read, and forward and backward of one micro-batch. Arrays belong to the thread that
 * made this, but {@link #forward} and {@link #backward} may run in several threads at once as long
 * as nobody calls {@link #refresh} meanwhile and each has gradients of its own.
 */
public final class Qwen3 implements AutoCloseable {
  private final QwenShape shape;
  private final Precision precision;
  private final NDManager manager;
  private final Script model;
  private final Script weights;
  private final Arrays master;
  private final Arrays rope;
  private final Arrays noAdapters;
  private NDManager effectiveManager;
  private Arrays effective;

  private Qwen3(
      QwenShape shape, Precision precision, NDManager manager, List<NDArray> master,
      RotaryFrequencies frequencies) {
    this.shape = shape;
    this.precision = precision;
    this.manager = manager;
    this.master = Arrays.of("m", master);
    model = Script.load(manager, QwenProgram.model(shape, precision, Adapted.none()));
    weights = Script.load(manager, QwenProgram.weights(shape, precision, Adapted.none()));
    rope = Arrays.of("rope", RopeTable.create(manager, shape, precision, frequencies));
    noAdapters = Arrays.of("a", manager.zeros(new Shape()));
    effectiveManager = manager.newSubManager();
    effective = prepare(effectiveManager);
  }

  /** Puts the weights of a folder on a device. */
  public static Qwen3 open(ModelFolder folder, Device device, Precision precision)
      throws IOException {
    return open(folder, device, precision, RotaryFrequencies.FLOAT32);
  }

  /** The same with frequencies of another type. */
  public static Qwen3 open(
      ModelFolder folder, Device device, Precision precision, RotaryFrequencies frequencies)
      throws IOException {
    return of(folder.shape(), folder::tensor, device, precision, frequencies);
  }

  /** The same for weights from anywhere. */
  public static Qwen3 of(
      QwenShape shape, WeightSource source, Device device, Precision precision,
      RotaryFrequencies frequencies)
      throws IOException {
    NDManager manager = Engine.getEngine("PyTorch").newBaseManager(device);
    FusedLayout layout = FusedLayout.of(shape);
    List<NDArray> arrays = new ArrayList<>();
    for (int i = 0; i < layout.shapes().size(); i++) {
      arrays.add(fused(source, layout, i, manager, precision));
    }
    return new Qwen3(shape, precision, manager, arrays, frequencies);
  }

  private static NDArray fused(
      WeightSource source, FusedLayout layout, int index, NDManager manager, Precision precision)
      throws IOException {
    Shape shape = new Shape(layout.shapes().get(index));
    boolean wide = precision == Precision.FP64;
    Object values = wide ? new double[(int) shape.size()] : new float[(int) shape.size()];
    for (Part part : layout.parts()) {
      if (part.array() == index) {
        StoredTensor stored = source.tensor(part.name());
        part.fuse(wide ? stored.toDoubles() : stored.toFloats(), values);
      }
    }
    return wide
        ? manager.create((double[]) values, shape)
        : manager.create((float[]) values, shape);
  }

  /** Every weight under its name in a Hugging Face folder, as 32-bit (or, in FP64, 64-bit) reals. */
  public Map<String, StoredTensor> export() {
    return export(master);
  }

  private Map<String, StoredTensor> export(Arrays arrays) {
    FusedLayout layout = FusedLayout.of(shape);
    Map<String, StoredTensor> out = new LinkedHashMap<>();
    Map<Integer, Object> host = new java.util.HashMap<>();
    for (Part part : layout.parts()) {
      NDArray array = arrays.get(part.array());
      Object values =
          host.computeIfAbsent(
              part.array(),
              i -> precision == Precision.FP64 ? array.toDoubleArray() : array.toFloatArray());
      long[] extent =
          part.columns() == 1
              ? new long[] {part.rows()}
              : new long[] {part.rows(), part.columns()};
      int size = part.rows() * part.columns();
      if (values instanceof double[] wide) {
        double[] to = new double[size];
        part.part(wide, to);
        out.put(part.name(), StoredTensor.of(part.name(), Dtype.F64, extent, to));
      } else {
        float[] to = new float[size];
        part.part(values, to);
        out.put(part.name(), StoredTensor.of(part.name(), Dtype.F32, extent, to));
      }
    }
    return out;
  }

  /** Makes the effective weights anew after the master weights changed. */
  public void refresh() {
    NDManager old = effectiveManager;
    effectiveManager = manager.newSubManager();
    effective = prepare(effectiveManager);
    old.close();
  }

  private Arrays prepare(NDManager owner) {
    return Arrays.of("e", weights.call(owner, "prepare", master));
  }

  public QwenShape shape() {
    return shape;
  }

  public NDManager manager() {
    return manager;
  }

  /** Gradients of the effective weights, all zero. */
  public Arrays gradients(NDManager owner) {
    List<NDArray> zeros = new ArrayList<>();
    for (int i = 0; i < effective.size(); i++) {
      zeros.add(owner.zeros(effective.get(i).getShape(), type()));
    }
    return Arrays.of("d", zeros);
  }

  DataType type() {
    return precision == Precision.FP64 ? DataType.FLOAT64 : DataType.FLOAT32;
  }

  /** The logits after each scored row, as the model's own type. */
  public NDArray logits(NDManager owner, MicroBatch batch) {
    Arrays b = onDevice(owner, batch, ForwardPlan.keepAll());
    return model.call(owner, "logits", effective, noAdapters, b, rope).get(0);
  }

  /** Log-probabilities (and entropies, where the plan wants them) of the targets, without a trace. */
  public Scores logprobs(MicroBatch batch, ForwardPlan plan) {
    try (NDManager scope = manager.newSubManager()) {
      Arrays b = onDevice(scope, batch, plan);
      NDList out = model.call(scope, "logprobs", effective, noAdapters, b, rope);
      return Scores.of(out.get(0), out.get(1));
    }
  }

  /** Forward with what backward needs; lives in {@code scope}. */
  public ForwardPass forward(NDManager scope, MicroBatch batch, ForwardPlan plan) {
    Arrays b = onDevice(scope, batch, plan);
    NDList out = model.call(scope, "forward", effective, noAdapters, b, rope);
    return new ForwardPass(scope, b, Scores.of(out.get(0), out.get(1)), Arrays.of("s", out));
  }

  /**
   * Adds the gradients of a micro-batch to {@code gradients}.
   *
   * @param slopes derivative of the loss by the log-probability of each target
   */
  public void backward(ForwardPass pass, double[] slopes, Arrays gradients) {
    NDManager scope = pass.scope();
    NDArray slope =
        precision == Precision.FP64
            ? scope.create(slopes)
            : scope.create(Scores.narrow(slopes));
    model.call(
        scope, "backward", effective, noAdapters, pass.batch(), rope, pass.saved(),
        Arrays.of("g", slope), gradients);
  }

  /** Gradients by the names of the folder. */
  public Map<String, StoredTensor> named(Arrays gradients) {
    try (NDManager scope = manager.newSubManager()) {
      return export(collect(scope, gradients));
    }
  }

  Arrays collect(NDManager scope, Arrays gradients) {
    return Arrays.of("g", weights.call(scope, "collect", master, gradients));
  }

  Script weightsProgram() {
    return weights;
  }

  Arrays master() {
    return master;
  }

  private Arrays onDevice(NDManager scope, MicroBatch batch, ForwardPlan plan) {
    int[][] groups = batch.groups();
    long[] flat = new long[2 * groups.length];
    for (int i = 0; i < groups.length; i++) {
      flat[2 * i] = groups[i][0];
      flat[2 * i + 1] = groups[i][1];
    }
    return Arrays.of(
        "b",
        scope.create(Scores.widen(batch.ids())),
        scope.create(Scores.widen(batch.positions())),
        scope.create(flat, new Shape(groups.length, 2)),
        scope.create(Scores.widen(batch.rows())),
        scope.create(Scores.widen(batch.targets())),
        scope.create(plan.settings()));
  }

  @Override
  public void close() {
    effectiveManager.close();
    model.close();
    weights.close();
    manager.close();
  }
}
