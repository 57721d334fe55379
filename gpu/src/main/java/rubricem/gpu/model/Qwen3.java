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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.model.FusedLayout.Part;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;
import rubricem.gpu.weights.LoraFolder;
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
  private final Script base;
  private final Script model;
  private final Script weights;
  private final Arrays master;
  private final Arrays rope;
  private final Arrays noAdapters;
  private final @Nullable LoraWeights lora;
  private final @Nullable AdapterLayout adapterLayout;
  private final @Nullable Arrays adapters;
  private final Arrays effective;
  private final Arrays effectiveAdapters;

  private Qwen3(
      QwenShape shape, Precision precision, NDManager manager, List<NDArray> master,
      ReferenceRounding rounding, @Nullable LoraWeights lora) {
    this.shape = shape;
    this.precision = precision;
    this.manager = manager;
    this.lora = lora;
    this.master = Arrays.of("m", master);
    Adapted adapted = lora == null ? Adapted.none() : lora.adapted();
    boolean norms = rounding.narrowNorms();
    int blocksUpTo = manager.getDevice().isGpu() ? 0 : QwenProgram.BLOCKS_UP_TO;
    base =
        Script.load(manager, QwenProgram.model(shape, precision, Adapted.none(), blocksUpTo, norms));
    model =
        lora == null
            ? base
            : Script.load(manager, QwenProgram.model(shape, precision, adapted, blocksUpTo, norms));
    weights = Script.load(manager, QwenProgram.weights(shape, precision, adapted));
    rope = Arrays.of("rope", RopeTable.create(manager, shape, precision, rounding));
    noAdapters = Arrays.of("a", manager.zeros(new Shape()));
    adapterLayout =
        lora == null ? null : AdapterLayout.of(shape, adapted, lora.config().rank());
    adapters = lora == null ? null : Arrays.of("a", adapterArrays(lora));
    effective = Arrays.of("e", weights.call(manager, "prepare", this.master));
    effectiveAdapters =
        adapters == null
            ? noAdapters
            : Arrays.of("n", weights.call(manager, "prepare_adapters", this.master, adapters));
  }

  private List<NDArray> adapterArrays(LoraWeights from) {
    List<NDArray> arrays = new ArrayList<>();
    for (AdapterLayout.Slot slot : Objects.requireNonNull(adapterLayout).slots()) {
      arrays.add(
          host(manager, new Shape(slot.shape()), from.tensor(slot), slot::fuse));
    }
    return arrays;
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
    return of(folder.shape(), folder::tensor, device, precision, frequencies, null);
  }

  /**
   * The same for weights from anywhere.
   *
   * @param lora the adapter that is trained in place of the weights; null: the weights are
   */
  public static Qwen3 of(
      QwenShape shape, WeightSource source, Device device, Precision precision,
      RotaryFrequencies frequencies, @Nullable LoraWeights lora)
      throws IOException {
    return of(shape, source, device, precision, new ReferenceRounding(frequencies, false), lora);
  }

  /** The same, rounded as another program does. */
  public static Qwen3 of(
      QwenShape shape, WeightSource source, Device device, Precision precision,
      ReferenceRounding rounding, @Nullable LoraWeights lora)
      throws IOException {
    NDManager manager = Engine.getEngine("PyTorch").newBaseManager(device);
    FusedLayout layout = FusedLayout.of(shape);
    List<NDArray> arrays = new ArrayList<>();
    for (int i = 0; i < layout.shapes().size(); i++) {
      arrays.add(fused(source, layout, i, manager, precision));
    }
    return new Qwen3(shape, precision, manager, arrays, rounding, lora);
  }

  static NDArray fused(
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
    return HostValues.array(manager, values, shape);
  }

  private NDArray host(
      NDManager owner, Shape extent, StoredTensor stored, BiConsumer<Object, Object> place) {
    boolean wide = precision == Precision.FP64;
    Object values = wide ? new double[(int) extent.size()] : new float[(int) extent.size()];
    place.accept(wide ? stored.toDoubles() : stored.toFloats(), values);
    return HostValues.array(owner, values, extent);
  }

  /** Every weight under its name in a Hugging Face folder, in the type of the master weights. */
  public Map<String, StoredTensor> export() {
    return NamedArrays.weights(shape, master);
  }

  /** The adapter as PEFT has it; only where one is trained. */
  public LoraFolder exportAdapter() {
    return Objects.requireNonNull(lora, "no adapter is trained")
        .folder(NamedArrays.adapters(Objects.requireNonNull(adapterLayout), trained()));
  }

  /** Makes the effective weights anew after the master weights changed. */
  public void refresh() {
    shares(1).forEach(this::refresh);
    if (adapters != null) {
      refresh(effective, "refresh", master, WeightShare.of(shape, 1).getFirst());
    }
  }

  /** The same for a share, beside other threads that do it for other shares. */
  public void refresh(WeightShare share) {
    if (adapters == null) {
      refresh(effective, "refresh", master, share);
    } else {
      try (NDManager scope = manager.newSubManager()) {
        weights.call(
            scope, "refresh_adapters", master, adapters, effectiveAdapters);
      }
    }
  }

  private void refresh(Arrays made, String method, Arrays from, WeightShare share) {
    try (NDManager scope = manager.newSubManager()) {
      weights.call(scope, method, from.pick(share.trained()), made.pick(share.effective()));
    }
  }

  /** How so many threads share what lies between two steps; an adapter is for one of them. */
  public List<WeightShare> shares(int count) {
    return adapters == null
        ? WeightShare.of(shape, count)
        : List.of(WeightShare.whole(adapters.size(), effectiveAdapters.size()));
  }

  /**
   * The weights as they are now, adapter merged, in memory of their own: later steps do not change
   * it, and it outlives this model.
   */
  public Snapshot snapshot(long version) {
    return Snapshot.of(this, version);
  }

  Arrays master() {
    return master;
  }

  Arrays adaptersOrNone() {
    return adapters == null ? noAdapters : adapters;
  }

  Arrays rope() {
    return rope;
  }

  Precision precision() {
    return precision;
  }

  public QwenShape shape() {
    return shape;
  }

  public NDManager manager() {
    return manager;
  }

  /** What the optimiser steps: the adapter where there is one, else the weights. */
  public Arrays trained() {
    return adapters == null ? master : adapters;
  }

  /** Gradients of what forward reads of the trained arrays, all zero. */
  public Arrays gradients(NDManager owner) {
    Arrays of = adapters == null ? effective : effectiveAdapters;
    List<NDArray> zeros = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      zeros.add(owner.zeros(of.get(i).getShape(), type()));
    }
    return Arrays.of("d", zeros);
  }

  /** Of master weights, gradients and log-probabilities. */
  public DataType type() {
    return precision == Precision.FP64 ? DataType.FLOAT64 : DataType.FLOAT32;
  }

  /** The logits after each scored row, as the model's own type. */
  public NDArray logits(NDManager owner, MicroBatch batch) {
    Arrays b = onDevice(owner, batch, ForwardPlan.keepAll());
    return model.call(owner, "logits", effective, effectiveAdapters, b, rope).get(0);
  }

  /** Log-probabilities (and entropies, where the plan wants them) of the targets, without a trace. */
  public Scores logprobs(MicroBatch batch, ForwardPlan plan) {
    try (NDManager scope = manager.newSubManager()) {
      Arrays b = onDevice(scope, batch, plan);
      NDList out = model.call(scope, "logprobs", effective, effectiveAdapters, b, rope);
      return Scores.of(out.get(0), out.get(1));
    }
  }

  /** The same of the base alone, whatever adapter sits on it: the reference of an adapter. */
  public Scores baseLogprobs(MicroBatch batch, ForwardPlan plan) {
    try (NDManager scope = manager.newSubManager()) {
      Arrays b = onDevice(scope, batch, plan);
      NDList out = base.call(scope, "logprobs", effective, noAdapters, b, rope);
      return Scores.of(out.get(0), out.get(1));
    }
  }

  /** Forward with what backward needs; lives in {@code scope}. */
  public ForwardPass forward(NDManager scope, MicroBatch batch, ForwardPlan plan) {
    Arrays b = onDevice(scope, batch, plan);
    NDList out = model.call(scope, "forward", effective, effectiveAdapters, b, rope);
    return new ForwardPass(scope, b, Scores.of(out.get(0), out.get(1)), Arrays.of("s", out));
  }

  /**
   * Adds the gradients of a micro-batch to {@code gradients}.
   *
   * @param slopes derivative of the loss by the log-probability of each target
   */
  public void backward(ForwardPass pass, double[] slopes, Arrays gradients) {
    backward(pass, slopes, gradients, false);
  }

  /** @param first whether {@code gradients} hold nothing that counts: they are written over */
  public void backward(ForwardPass pass, double[] slopes, Arrays gradients, boolean first) {
    NDManager scope = pass.scope();
    NDArray slope =
        precision == Precision.FP64
            ? scope.create(slopes)
            : scope.create(Scores.narrow(slopes));
    model.call(
        scope, "backward", effective, effectiveAdapters, pass.batch(), rope, pass.saved(),
        Arrays.of("g", slope, scope.create(first ? 0.0 : 1.0)), gradients);
  }

  /** Gradients by the names of the folder, or of the adapter's. */
  public Map<String, StoredTensor> named(Arrays gradients) {
    try (NDManager scope = manager.newSubManager()) {
      Arrays collected = collect(scope, gradients);
      return adapterLayout == null
          ? NamedArrays.weights(shape, collected)
          : NamedArrays.adapters(adapterLayout, collected);
    }
  }

  /** Gradients of the trained arrays, in their order; what they come from stays as it is. */
  private Arrays collect(NDManager scope, Arrays gradients) {
    if (adapters != null) {
      return Arrays.of("g", weights.call(scope, "collect_adapters", master, gradients));
    }
    List<NDArray> copies = new ArrayList<>();
    for (int i = 0; i < gradients.size(); i++) {
      NDArray copy = gradients.get(i).duplicate();
      copy.attach(scope);
      copies.add(copy);
    }
    WeightShare whole = WeightShare.of(shape, 1).getFirst();
    Arrays collected = collect(scope, whole, Arrays.of("d", copies));
    NDArray[] ordered = new NDArray[collected.size()];
    for (int i = 0; i < ordered.length; i++) {
      ordered[whole.trained()[i]] = collected.get(i);
    }
    return Arrays.of("g", ordered);
  }

  /** Gradients of the trained arrays of a share, in its order; {@code gradients} are used up. */
  public Arrays collect(NDManager scope, WeightShare share, Arrays gradients) {
    if (adapters != null) {
      return Arrays.of("g", weights.call(scope, "collect_adapters", master, gradients));
    }
    return Arrays.of(
        "g",
        weights.call(
            scope, "collect", master.pick(share.trained()), gradients.pick(share.effective())));
  }

  /** The program of weights, gradients and optimiser. */
  public Script weightsProgram() {
    return weights;
  }

  private Arrays onDevice(NDManager scope, MicroBatch batch, ForwardPlan plan) {
    return onDevice(scope, batch, plan.settings());
  }

  /** A micro-batch as the programs take it. */
  static Arrays onDevice(NDManager scope, MicroBatch batch, double[] settings) {
    int[][] groups = batch.groups();
    long[] flat = new long[2 * groups.length];
    for (int i = 0; i < groups.length; i++) {
      flat[2 * i] = groups[i][0];
      flat[2 * i + 1] = groups[i][1];
    }
    List<NDArray> arrays = new ArrayList<>();
    arrays.add(scope.create(Scores.widen(batch.ids())));
    arrays.add(scope.create(Scores.widen(batch.positions())));
    arrays.add(scope.create(flat, new Shape(groups.length, 2)));
    arrays.add(scope.create(Scores.widen(batch.rows())));
    arrays.add(scope.create(Scores.widen(batch.targets())));
    arrays.add(scope.create(settings));
    SharedRows shared = batch.shared();
    if (!shared.isNone()) {
      arrays.add(scope.create(Scores.widen(shared.whole())));
      arrays.add(scope.create(Scores.widen(shared.own())));
      arrays.add(scope.create(Scores.widen(shared.repeated())));
      arrays.add(scope.create(Scores.widen(shared.first())));
    }
    return Arrays.of("b", arrays);
  }

  @Override
  public void close() {
    if (lora != null) {
      model.close();
    }
    base.close();
    weights.close();
    manager.close();
  }
}
