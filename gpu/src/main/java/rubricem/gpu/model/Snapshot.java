package rubricem.gpu.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.Script;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenShape;

/**
 * The weights of one policy version as a sampler reads them: norms folded in, adapters merged, in
 * memory of their own. It never changes, so any number of threads may read it while training goes
 * on. Its memory is freed when the last of its holders lets it go; whoever made it is the first.
 */
public final class Snapshot implements AutoCloseable {
  /**
   * From this many parameters on matrices are packed on a CPU: the weights no longer stay in any
   * cache, and a step of eight rows took 45 instead of 55 ms at 134 million. With small matrices
   * packing loses.
   */
  private static final long PACKED_FROM = 64_000_000;

  private final long version;
  private final QwenShape shape;
  private final Precision precision;
  private final NDManager manager;
  private final Arrays weights;
  private final Arrays rope;
  private final AtomicInteger holders = new AtomicInteger(1);

  private Snapshot(
      long version, QwenShape shape, Precision precision, NDManager manager, Arrays weights,
      Arrays rope) {
    this.version = version;
    this.shape = shape;
    this.precision = precision;
    this.manager = manager;
    this.weights = weights;
    this.rope = rope;
  }

  static Snapshot of(Qwen3 model, long version) {
    NDManager manager = base(model.manager().getDevice());
    NDArray rope = model.rope().get(0).duplicate();
    rope.attach(manager);
    Arrays weights =
        effective(
            manager, model.weightsProgram(), model.master(), model.adaptersOrNone(),
            packs(model.shape(), model.precision(), model.manager().getDevice()));
    return new Snapshot(
        version, model.shape(), model.precision(), manager, weights, Arrays.of("rope", rope));
  }

  /** The weights of a folder, for sampling only. */
  public static Snapshot open(ModelFolder folder, Device device, Precision precision, long version)
      throws IOException {
    return of(
        folder.shape(), folder::tensor, device, precision, RotaryFrequencies.FLOAT32, version);
  }

  static boolean packs(QwenShape shape, Precision precision, Device device) {
    return !device.isGpu() && precision != Precision.FP64 && shape.parameters() >= PACKED_FROM;
  }

  private static Arrays effective(
      NDManager manager, Script program, Arrays master, Arrays adapters, boolean pack) {
    NDList plain = program.infer(manager, "snapshot", master, adapters);
    if (!pack) {
      return Arrays.of("e", plain);
    }
    NDList packed = program.infer(manager, "pack", Arrays.of("e", plain));
    plain.close();
    return Arrays.of("e", packed);
  }

  /** The same for weights from anywhere. */
  public static Snapshot of(
      QwenShape shape, WeightSource source, Device device, Precision precision,
      RotaryFrequencies frequencies, long version)
      throws IOException {
    return of(
        shape, source, device, precision, frequencies, version,
        packs(shape, precision, device));
  }

  /** @param pack whether matrices are packed; by the size of the model everywhere but in tests */
  public static Snapshot of(
      QwenShape shape, WeightSource source, Device device, Precision precision,
      RotaryFrequencies frequencies, long version, boolean pack)
      throws IOException {
    NDManager manager = base(device);
    try (NDManager scope = base(device)) {
      FusedLayout layout = FusedLayout.of(shape);
      List<NDArray> master = new ArrayList<>();
      for (int i = 0; i < layout.shapes().size(); i++) {
        master.add(Qwen3.fused(source, layout, i, scope, precision));
      }
      Arrays rope =
          Arrays.of("rope", RopeTable.create(
                  manager, shape, precision, new ReferenceRounding(frequencies, false)));
      Arrays none = Arrays.of("a", scope.zeros(new Shape()));
      String text = QwenProgram.weights(shape, precision, Adapted.none());
      try (Script program = Script.load(scope, text)) {
        Arrays weights = effective(manager, program, Arrays.of("m", master), none, pack);
        return new Snapshot(version, shape, precision, manager, weights, rope);
      }
    } catch (IOException | RuntimeException e) {
      manager.close();
      throw e;
    }
  }

  private static NDManager base(Device device) {
    return Engine.getEngine("PyTorch").newBaseManager(device);
  }

  public long version() {
    return version;
  }

  public QwenShape shape() {
    return shape;
  }

  public Precision precision() {
    return precision;
  }

  public Device device() {
    return manager.getDevice();
  }

  /** The argument {@code e} of the decoding program. */
  public Arrays weights() {
    return weights;
  }

  /** The argument {@code rope} of the decoding program. */
  public Arrays rope() {
    return rope;
  }

  /** One more holder, who closes it too. */
  public Snapshot retain() {
    if (holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new IllegalStateException("the weights of version " + version + " have been freed");
    }
    return this;
  }

  public boolean isFreed() {
    return holders.get() == 0;
  }

  @Override
  public void close() {
    if (holders.getAndUpdate(n -> Math.max(0, n - 1)) == 1) {
      manager.close();
    }
  }
}
