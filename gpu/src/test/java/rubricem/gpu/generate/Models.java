package rubricem.gpu.generate;

import ai.djl.Device;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import rubricem.gpu.Golden;
import rubricem.gpu.model.FreshWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.StoredTensor;

/** Small models to draw from. */
final class Models {
  /** Grouped heads, a head of its own, short contexts. */
  static final QwenShape SMALL = QwenShape.of(96, 32, 2, 4, 2, 16, 48, false, 128);

  private Models() {}

  static Snapshot golden(String name, Precision precision, RotaryFrequencies frequencies)
      throws IOException {
    ModelFolder folder = ModelFolder.open(Golden.file(name));
    return Snapshot.of(folder.shape(), folder::tensor, Device.cpu(), precision, frequencies, 1);
  }

  /** Weights that differ by seed and are large enough for texts that are not all alike. */
  static Snapshot small(long seed, long version) throws IOException {
    return small(seed, version, -1);
  }

  /** @param poisoned a token whose embedding is no number */
  static Snapshot small(long seed, long version, int poisoned) throws IOException {
    FreshWeights fresh = new FreshWeights(SMALL, seed);
    return Snapshot.of(
        SMALL,
        name -> {
          StoredTensor tensor = fresh.tensor(name);
          float[] values = tensor.toFloats();
          if (tensor.shape().length > 1) {
            for (int i = 0; i < values.length; i++) {
              values[i] *= 12;
            }
          }
          if (poisoned >= 0 && name.contains("embed_tokens")) {
            values[poisoned * SMALL.hidden()] = Float.NaN;
          }
          return StoredTensor.of(name, Dtype.F32, tensor.shape(), values);
        },
        Device.cpu(), Precision.FP32, RotaryFrequencies.FLOAT32, version);
  }

  static GeneratorSettings settings(int workers, int slots) {
    return new GeneratorSettings(workers, 1, slots, 1000, 128, 128L * 64, 64, 4096);
  }

  static int[] prompt(long seed, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] ids = new int[length];
    Arrays.setAll(ids, i -> random.nextInt(SMALL.vocabulary()));
    return ids;
  }

  static Generation run(Generator generator, GenerationRequest request) {
    return await(generator.submit(request));
  }

  static List<Generation> run(Generator generator, List<GenerationRequest> requests) {
    return generator.submit(requests).stream().map(Models::await).toList();
  }

  static Generation await(Generator.Ticket ticket) {
    try {
      return ticket.result().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a generation did not end", e);
    }
  }
}
