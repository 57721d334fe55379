package rubricem.gpu.train;

import ai.djl.ndarray.types.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.checkpoint.CheckpointState;
import rubricem.gpu.checkpoint.WeightsKind;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.device.NativeCount;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.TrainedArrays;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.LoraConfig;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.UnusableFolderException;

/**
 * A model together with its optimiser, as it is trained and as a checkpoint holds it. Opened from a
 * checkpoint it goes on bit by bit as if it had never been away, given the same settings. The base
 * folder is needed as long as this is open: what belongs to a model but is not trained is copied
 * from there. One thread at a time, the device's.
 */
public final class TrainedModel implements AutoCloseable {
  /**
   * How to train.
   *
   * @param adapter null: the weights themselves are trained
   * @param seed of a fresh adapter
   * @param nanos a clock for the record of throughput
   */
  public record Setup(
      DeviceName device,
      Precision precision,
      @Nullable LoraConfig adapter,
      AdamWOptions optimiser,
      TrainSettings settings,
      long seed,
      LongSupplier nanos) {}

  /**
   * What of a checkpoint is no tensor.
   *
   * @param settings what decides what is learned, by key
   */
  public record Cut(
      long step, long policyVersion, Map<String, Long> journal, Map<String, String> rng,
      Map<String, String> settings) {
    public Cut(
        long step, long policyVersion, Map<String, Long> journal, Map<String, String> rng) {
      this(step, policyVersion, journal, rng, Map.of());
    }
  }

  private final ModelFolder base;
  private final Qwen3 model;
  private final Trainer trainer;
  private final TrainedArrays layout;
  private final boolean adapter;

  private TrainedModel(ModelFolder base, Qwen3 model, @Nullable LoraWeights lora, Setup setup) {
    this.base = base;
    this.model = model;
    trainer = new Trainer(model, setup.optimiser(), setup.settings(), setup.nanos());
    layout = TrainedArrays.of(base.shape(), lora);
    adapter = lora != null;
  }

  /** Begins with a folder's weights and an empty optimiser. */
  public static TrainedModel open(ModelFolder base, Setup setup) throws IOException {
    LoraConfig config = setup.adapter();
    LoraWeights lora =
        config == null ? null : LoraWeights.fresh(base.shape(), config, setup.seed());
    return of(base, base, lora, setup);
  }

  /** Goes on where a checkpoint was made. */
  public static TrainedModel resume(ModelFolder base, Checkpoint checkpoint, Setup setup)
      throws IOException {
    boolean adapter = checkpoint.state().weightsKind() == WeightsKind.ADAPTER;
    if (adapter != (setup.adapter() != null)) {
      throw new IOException(
          checkpoint.folder() + " holds " + (adapter ? "an adapter" : "whole weights")
              + ", and the run trains " + (adapter ? "whole weights" : "an adapter"));
    }
    if (adapter) {
      refuseOtherBase(checkpoint.folder(), base);
    }
    LoraWeights lora =
        adapter
            ? LoraWeights.of(LoraFolder.read(checkpoint.weights(), base.shape()), base.shape())
            : null;
    ModelFolder weights = adapter ? base : ModelFolder.open(checkpoint.weights());
    if (!weights.shape().equals(base.shape())) {
      throw new IOException(
          checkpoint.folder() + " is of another shape than the model in " + base.folder());
    }
    TrainedModel model = of(base, weights, lora, setup);
    try {
      Path optimiser =
          checkpoint.optimiser()
              .orElseThrow(
                  () -> new IOException(checkpoint.folder() + " has no state of the optimiser"));
      model.trainer.optimizer().read(optimiser, model.layout);
      return model;
    } catch (IOException | RuntimeException e) {
      model.close();
      throw e;
    }
  }

  /** @throws UnusableFolderException where an adapter's manifest says that it has another base */
  public static void refuseOtherBase(Path adapter, ModelFolder base) throws IOException {
    String trainedOn = CheckpointFolder.base(adapter).orElse("");
    if (!trainedOn.isEmpty() && !trainedOn.equals(base.checksum())) {
      throw new UnusableFolderException(
          base.folder(),
          "it is not the one that this adapter was trained on: its weights have the checksum "
              + ModelFolder.brief(base.checksum()) + ", and " + adapter + " belongs to "
              + ModelFolder.brief(trainedOn)
              + "; bring that model back there, or take another adapter");
    }
  }

  private static TrainedModel of(
      ModelFolder base, ModelFolder weights, @Nullable LoraWeights lora, Setup setup)
      throws IOException {
    Qwen3 model =
        Qwen3.of(
            base.shape(), weights::tensor, setup.device().present(), setup.precision(),
            RotaryFrequencies.FLOAT32, lora);
    return new TrainedModel(base, model, lora, setup);
  }

  public Qwen3 model() {
    return model;
  }

  public Trainer trainer() {
    return trainer;
  }

  public ModelFolder base() {
    return base;
  }

  /** What of it is native now; equal before and after a step. */
  public NativeCount natives() {
    return NativeCount.of(model.manager());
  }

  /** Writes a checkpoint, which appears whole or not at all. */
  public Checkpoint save(CheckpointFolder folder, Cut cut) throws IOException {
    WeightsKind kind = adapter ? WeightsKind.ADAPTER : WeightsKind.FULL;
    CheckpointState state =
        CheckpointState.of(cut.step(), cut.policyVersion(), kind, cut.journal(), cut.rng())
            .decidedBy(cut.settings());
    return folder.write(
        adapter ? state.over(base.checksum()) : state,
        into -> {
          writeWeights(into);
          Path optimiser = into.resolve(CheckpointState.OPTIMISER);
          Files.createDirectories(optimiser.getParent());
          trainer.optimizer().write(optimiser, layout);
        });
  }

  /** Writes the weights alone: a folder of Hugging Face, or of PEFT where an adapter is trained. */
  public void writeWeights(Path into) throws IOException {
    if (adapter) {
      model.exportAdapter().write(into);
    } else {
      Dtype stored = model.type() == DataType.FLOAT64 ? Dtype.F64 : Dtype.F32;
      ModelFolder.write(
          into, base, stored, name -> layout.tensor(model.trained(), name).bytes());
    }
  }

  /** The trained tensors by their names in a folder. */
  public List<StoredTensor> tensors() {
    List<StoredTensor> out = new ArrayList<>();
    for (String name : layout.names()) {
      out.add(layout.tensor(model.trained(), name));
    }
    return out;
  }

  @Override
  public void close() {
    trainer.close();
    model.close();
  }
}
