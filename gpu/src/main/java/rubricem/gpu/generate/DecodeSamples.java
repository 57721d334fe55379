package rubricem.gpu.generate;

import ai.djl.Device;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.SampleCall;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.model.WeightSource;
import rubricem.gpu.script.Arrays;
import rubricem.gpu.weights.QwenShape;

/**
 * A call of every method of the sampling program, written down while a generator makes it: two equal
 * prompts and a third one, drawn with and without filters, then a prompt that begins like what has
 * ended. So a sample is what really happens, whatever the generator becomes.
 */
public final class DecodeSamples {
  private static final String PROGRAM = "decode";
  private static final int LONG_PROMPT = 12;
  private static final int SHORT_PROMPT = 5;
  private static final int DRAWN = 4;

  private final QwenShape shape;
  private final Map<String, SampleCall> calls = new ConcurrentSkipListMap<>();

  private DecodeSamples(QwenShape shape) {
    this.shape = shape;
  }

  /**
   * Writes the calls.
   *
   * @param check run before every part; what it throws ends this
   */
  public static void write(Path target, QwenShape shape, WeightSource source, Runnable check)
      throws IOException {
    DecodeSamples samples = new DecodeSamples(shape);
    check.run();
    try (Snapshot weights =
        Snapshot.of(
            shape, source, Device.cpu(), Precision.FP32, RotaryFrequencies.FLOAT32, 0, false)) {
      samples.draw(weights, check);
    }
    for (Map.Entry<String, SampleCall> call : samples.calls.entrySet()) {
      call.getValue().write(target, PROGRAM, call.getKey());
    }
  }

  private void draw(Snapshot weights, Runnable check) {
    int context = 2 * (LONG_PROMPT + DRAWN);
    GeneratorSettings settings =
        new GeneratorSettings(1, 1, 4, 16, context, 4L * context, 64, 4L * context);
    SplittableRandom random = new SplittableRandom(1);
    int[] prompt = random.ints(LONG_PROMPT, 0, shape.vocabulary()).toArray();
    int[] other = random.ints(SHORT_PROMPT, 0, shape.vocabulary()).toArray();
    DecodeProgram program = new DecodeProgram(weights, this::first);
    try (Generator generator = new Generator(program, weights, settings)) {
      List<Generator.Ticket> tickets =
          generator.submit(
              List.of(
                  new GenerationRequest(prompt, DRAWN, Sampling.plain(1)),
                  new GenerationRequest(prompt, DRAWN, new Sampling(0.7, 8, 0.9, 2)),
                  new GenerationRequest(other, DRAWN, Sampling.greedy())));
      Generation first = answer(tickets.getFirst());
      tickets.forEach(DecodeSamples::answer);
      check.run();
      int[] longer = java.util.Arrays.copyOf(prompt, LONG_PROMPT + DRAWN + 1);
      System.arraycopy(first.ids(), 0, longer, LONG_PROMPT, DRAWN);
      answer(generator.submit(new GenerationRequest(longer, 2, Sampling.plain(3))));
      wipe(program);
    }
  }

  private static Generation answer(Generator.Ticket ticket) {
    return ticket.result().toCompletableFuture().join();
  }

  /** A generator does it only after numbers that are not finite. */
  private void wipe(DecodeProgram program) {
    try (NDManager manager = program.newManager()) {
      int sizes = 2 * shape.layers() * 2 * shape.kvHeads() * DRAWN * shape.headSize();
      float[] numbers = new float[sizes];
      java.util.Arrays.fill(numbers, 1);
      Arrays cache =
          Arrays.of(
              "c",
              manager.create(
                  numbers,
                  new ai.djl.ndarray.types.Shape(
                      2L * shape.layers(), 2, shape.kvHeads(), DRAWN, shape.headSize())));
      program.wipe(manager, cache, 1);
    }
  }

  private Consumer<NDList> first(String method, List<Arrays> arguments) {
    if (calls.containsKey(method)) {
      return result -> {};
    }
    SampleCall call = new SampleCall(arguments);
    return result -> {
      call.gave(result, arguments);
      calls.putIfAbsent(method, call);
    };
  }
}
