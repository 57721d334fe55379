package rubricem.gpu.model;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.script.ProgramText;
import rubricem.gpu.script.Script;
import rubricem.gpu.script.ScriptArchive;
import rubricem.gpu.weights.QwenShape;

/**
 * The programs of a model as archives that any libtorch loads, and for each method a call: what
 * goes in, what comes out and what is changed in place. The calls follow one training step, so each
 * takes what the one before it gave. For looking at the programs without us, in 32 bits.
 */
public final class ProgramExport implements AutoCloseable {
  private static final int[] LENGTHS = {7, 12, 12};
  private static final int CHUNK_ROWS = 16;
  private static final double[] ADAMW = {0.5, 1e-3, 0.9, 0.95, 1e-8, 0.01};

  private final Path target;
  private final QwenShape shape;
  private final Runnable check;
  private final NDManager manager;

  private ProgramExport(Path target, QwenShape shape, Runnable check) {
    this.target = target;
    this.shape = shape;
    this.check = check;
    manager = Engine.getEngine("PyTorch").newBaseManager(Device.cpu());
  }

  /**
   * All programs, and calls of all but the sampling one.
   *
   * @param target a folder that is there
   * @param check run before every call; what it throws ends this
   */
  public static void write(Path target, QwenShape shape, WeightSource source, Runnable check)
      throws IOException {
    try (ProgramExport export = new ProgramExport(target, shape, check)) {
      export.programs();
      export.samples(source);
    }
    Files.writeString(target.resolve("README.md"), ProgramText.resource("export"));
  }

  private void programs() throws IOException {
    archive("model", QwenProgram.model(shape, Precision.FP32, Adapted.none()));
    archive("weights", QwenProgram.weights(shape, Precision.FP32, Adapted.none()));
    archive("decode", QwenProgram.decode(shape, Precision.FP32));
  }

  private void archive(String name, String methods) throws IOException {
    Files.write(target.resolve(name + ".pt"), ScriptArchive.of(methods));
    Files.writeString(target.resolve(name + ".py.txt"), methods);
  }

  private void samples(WeightSource source) throws IOException {
    FusedLayout layout = FusedLayout.of(shape);
    List<NDArray> master = new ArrayList<>();
    for (int i = 0; i < layout.shapes().size(); i++) {
      master.add(Qwen3.fused(source, layout, i, manager, Precision.FP32));
    }
    Arrays m = Arrays.of("m", master);
    try (Script model =
            Script.load(manager, QwenProgram.model(shape, Precision.FP32, Adapted.none()));
        Script weights =
            Script.load(manager, QwenProgram.weights(shape, Precision.FP32, Adapted.none()))) {
      Arrays e = Arrays.of("e", call("weights", weights, "prepare", m));
      Arrays a = Arrays.of("a", manager.zeros(new Shape()));
      Arrays rope =
          Arrays.of(
              "rope", RopeTable.create(manager, shape, Precision.FP32, ReferenceRounding.NONE));
      MicroBatch batch = MicroBatch.of(documents());
      Arrays b = batch(batch);
      call("model", model, "logits", e, a, b, rope);
      call("model", model, "logprobs", e, a, b, rope);
      Arrays s = Arrays.of("s", call("model", model, "forward", e, a, b, rope));
      Arrays d = zerosLike("d", e);
      call("model", model, "backward", e, a, b, rope, s, slopes(batch), d);
      WeightShare whole = WeightShare.of(shape, 1).getFirst();
      Arrays shared = m.pick(whole.trained());
      Arrays g =
          Arrays.of(
              "g", call("weights", weights, "collect", shared, d.pick(whole.effective())));
      call("weights", weights, "norms", g);
      call(
          "weights", weights, "adamw", shared, g, zerosLike("u", shared),
          zerosLike("v", shared), counters(shared), Arrays.of("h", manager.create(ADAMW)));
      call("weights", weights, "refresh", shared, e.pick(whole.effective()));
    }
  }

  private List<Document> documents() {
    SplittableRandom random = new SplittableRandom(1);
    List<Document> out = new ArrayList<>();
    for (int length : LENGTHS) {
      out.add(Document.whole(random.ints(length, 0, shape.vocabulary()).toArray()));
    }
    return out;
  }

  private Arrays batch(MicroBatch batch) {
    double[] settings = new ForwardPlan(shape.layers(), CHUNK_ROWS, 1, true).settings();
    return Qwen3.onDevice(manager, batch, settings);
  }

  private Arrays slopes(MicroBatch batch) {
    float[] slopes = new float[batch.rows().length];
    java.util.Arrays.fill(slopes, -1f / slopes.length);
    return Arrays.of("g", manager.create(slopes), manager.create(0.0));
  }

  private Arrays zerosLike(String name, Arrays of) {
    List<NDArray> zeros = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      zeros.add(manager.zeros(of.get(i).getShape()));
    }
    return Arrays.of(name, zeros);
  }

  private Arrays counters(Arrays of) {
    List<NDArray> counters = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      counters.add(manager.zeros(new Shape(), DataType.FLOAT32));
    }
    return Arrays.of("t", counters);
  }

  private NDList call(String program, Script script, String method, Arrays... in)
      throws IOException {
    check.run();
    List<Arrays> arguments = List.of(in);
    SampleCall sample = new SampleCall(arguments);
    NDList out = script.call(manager, method, in);
    sample.gave(out, arguments);
    sample.write(target, program, method);
    return out;
  }

  @Override
  public void close() {
    manager.close();
  }
}
