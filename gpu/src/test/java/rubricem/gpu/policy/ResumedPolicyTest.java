package rubricem.gpu.policy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.gpu.TinyModel;
import rubricem.gpu.checkpoint.Checkpoint;
import rubricem.gpu.checkpoint.CheckpointFolder;
import rubricem.gpu.checkpoint.CheckpointSettings;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.generate.Generation;
import rubricem.gpu.generate.GenerationRequest;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.generate.GeneratorSettings;
import rubricem.gpu.generate.Sampling;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.train.Packing;
import rubricem.gpu.train.TrainSettings;
import rubricem.gpu.train.TrainedModel;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.SupervisedRow;

/** Who draws after a run was stopped: the weights and the version of the checkpoint, at once. */
class ResumedPolicyTest {
  private static final long VERSION = 7;
  private static final int[] PROMPT = {5, 6, 7, 8};
  private static final LocalSettings SETTINGS =
      new LocalSettings(
          new DeviceName.Cpu(), Precision.FP32, 1, 1, 16, 32, 256, 4096, 256, 0, 1, 0, 1, 1000);

  @TempDir Path scratch;
  private ModelFolder base;
  private Checkpoint checkpoint;
  private double[] trained;

  private static TrainedModel.Setup setup() {
    return new TrainedModel.Setup(
        new DeviceName.Cpu(), Precision.FP32, null, new AdamWOptions(0.9, 0.95, 1e-8, 0, 1),
        new TrainSettings(new Packing.Tokens(512), 1, 1, 1L << 30, 1 << 20), 3, () -> 0);
  }

  @BeforeEach
  void stopped() throws IOException {
    base = ModelFolder.open(TinyModel.write(scratch.resolve("base")));
    CheckpointFolder checkpoints =
        new CheckpointFolder(
            scratch.resolve("checkpoints"), new CheckpointSettings(3, 0), Clock.systemUTC());
    int[] row = {5, 6, 7, 8, 100, 101, 102, 103};
    boolean[] mask = {false, false, false, false, true, true, true, true};
    try (TrainedModel model = TrainedModel.open(base, setup())) {
      for (int step = 0; step < VERSION; step++) {
        model.trainer().imitate(List.of(new SupervisedRow("r", row, mask)), 1e-2);
      }
      trained = drawn(model).policyLogProbs();
      checkpoint =
          model.save(checkpoints, new TrainedModel.Cut(40, VERSION, Map.of(), Map.of()));
    }
  }

  private static Generation drawn(TrainedModel model) {
    try (Snapshot snapshot = model.model().snapshot(VERSION);
        Generator generator = new Generator(snapshot, GeneratorSettings.usual(1, 1))) {
      return draw(generator, 1).getFirst();
    }
  }

  private static List<Generation> draw(Generator generator, int count) {
    List<GenerationRequest> requests =
        java.util.stream.IntStream.range(0, count)
            .mapToObj(i -> new GenerationRequest(PROMPT, 6, Sampling.greedy()))
            .toList();
    return generator.submit(requests).stream()
        .map(ticket -> ticket.result().toCompletableFuture().join())
        .toList();
  }

  @Test
  void L08_the_first_draws_after_a_resume_are_of_the_restored_version_and_weights()
      throws IOException {
    double[] reference;
    try (LocalModel untrained = LocalModel.open(base.folder(), SETTINGS, 1)) {
      reference = draw(untrained.generator(), 1).getFirst().policyLogProbs();
      assertEquals(0, untrained.generator().version());
    }
    try (TrainedModel resumed = TrainedModel.resume(base, checkpoint, setup())) {
      Generation first = drawn(resumed);
      assertArrayEquals(trained, first.policyLogProbs(), "bit by bit as before the stop");
      assertEquals(VERSION, first.version());
    }
    try (LocalModel restored = LocalModel.open(checkpoint.folder(), SETTINGS, 1)) {
      for (Generation early : draw(restored.generator(), 10)) {
        assertEquals(VERSION, early.version());
        assertArrayEquals(trained, early.policyLogProbs(), 1e-5);
        assertFalse(Arrays.equals(reference, early.policyLogProbs()), "drawn from the reference");
      }
    }
  }

  @Test
  void a_checkpoint_that_is_not_as_its_manifest_says_is_never_loaded() throws IOException {
    Path weights = checkpoint.folder().resolve("model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    bytes[bytes.length - 1] ^= 1;
    Files.write(weights, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    UnusableFolderException changed =
        assertThrows(
            UnusableFolderException.class,
            () -> LocalModel.open(checkpoint.folder(), SETTINGS, 1));
    assertTrue(changed.getMessage().contains("differs from its checksum"), changed.getMessage());
    assertEquals(
        changed.getMessage(),
        assertThrows(
                UnusableFolderException.class, () -> LocalModel.check(checkpoint.folder(), SETTINGS))
            .getMessage());
    Files.delete(checkpoint.folder().resolve("manifest.json"));
    assertThrows(
        UnusableFolderException.class,
        () -> LocalModel.check(checkpoint.folder(), SETTINGS));
    Path copy = Files.move(checkpoint.folder(), scratch.resolve("my-model"));
    LocalModel.check(copy, SETTINGS);
  }
}
