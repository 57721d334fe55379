package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.verify.StepRerun;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TrainRollout;
import rubricem.testkit.Shared;

/** A stored step that is run again: the same numbers, whatever form it was stored in. */
class TrainStepTest {
  private static final Path BATCH = Shared.golden("ssgrpo.json");
  private static final Path MODEL = Shared.golden("qwen3-tied");

  @TempDir Path scratch;

  private static StepRerun.Request request(List<TrainRollout> rollouts, Optional<Path> out) {
    return new StepRerun.Request(
        MODEL, Optional.empty(), Optional.empty(), 1, Optional.of(Shared.golden("qwen3-tied-reference-policy")), out,
        DeviceName.parse("cpu"), Precision.FP32, LearnerOptions.paper(),
        new AdamWOptions(0.9, 0.95, 1e-8, 0.01, 1), 1e-3, 0, rollouts);
  }

  private static StepRerun.Result run(List<TrainRollout> rollouts) throws IOException {
    return StepRerun.run(request(rollouts, Optional.empty()), () -> 0, () -> false);
  }

  @Test
  void L51_a_stored_batch_comes_back_as_it_was_and_gives_the_same_step() throws IOException {
    List<TrainRollout> handed = StoredBatch.read(BATCH).rollouts();
    Path stored = scratch.resolve("step.jsonl");
    StoredBatch.write(stored, handed);
    List<TrainRollout> again = StoredBatch.read(stored).rollouts();
    assertEquals(handed.size(), again.size());
    for (int i = 0; i < handed.size(); i++) {
      assertArrayEquals(handed.get(i).stage(), again.get(i).stage());
      assertArrayEquals(handed.get(i).samplerLogProbs(), again.get(i).samplerLogProbs());
      assertArrayEquals(handed.get(i).advantages(), again.get(i).advantages());
    }
    StepRerun.Result first = run(handed);
    StepRerun.Result second = run(again);
    assertEquals(first.report().loss(), second.report().loss());
    assertEquals(first.report().gradNorm(), second.report().gradNorm());
    assertEquals(first.gradientNorms(), second.gradientNorms());
    JsonNode variant = Shared.goldenJson("ssgrpo.json").get("variants").get("token_mean");
    assertEquals(variant.get("loss").asDouble(), first.report().loss(), 1e-6);
    assertEquals(variant.get("grad_norms").size(), first.gradientNorms().size());
  }

  @Test
  void what_the_batch_lacks_is_computed() throws IOException {
    List<TrainRollout> handed = StoredBatch.read(BATCH).rollouts();
    List<TrainRollout> bare =
        handed.stream()
            .map(
                r ->
                    new TrainRollout(
                        r.group(), r.id(), 0, r.promptIds(), r.responseIds(), r.stage(),
                        r.samplerLogProbs(), null, null, r.advantages(), false))
            .toList();
    StepRerun.Result result = run(bare);
    for (int i = 0; i < bare.size(); i++) {
      double[] reference = result.rollouts().get(i).referenceLogProbs();
      for (int t = 0; t < bare.get(i).length(); t++) {
        if (bare.get(i).stage()[t] != 0) {
          assertEquals(handed.get(i).referenceLogProbs()[t], reference[t], 1e-4);
        }
      }
    }
  }

  @Test
  void the_stepped_weights_are_a_folder_of_their_own_and_the_model_stays() throws IOException {
    Path out = scratch.resolve("stepped");
    StepRerun.run(request(StoredBatch.read(BATCH).rollouts(), Optional.of(out)), () -> 0, () -> false);
    SafeTensors expected = SafeTensors.open(Shared.golden("ssgrpo.after_adamw.safetensors"));
    ModelFolder stepped = ModelFolder.open(out);
    int far = 0;
    for (StoredTensor tensor : expected.tensors()) {
      double[] handed = tensor.toDoubles();
      double[] ours = stepped.tensor(tensor.name()).toDoubles();
      for (int i = 0; i < handed.length; i++) {
        assertEquals(handed[i], ours[i], 1e-4);
        far += Math.abs(handed[i] - ours[i]) > 1e-5 ? 1 : 0;
      }
    }
    assertTrue(far <= 16, far + " elements are more than 1e-5 off");
    assertThrows(
        UnusableFolderException.class,
        () -> StepRerun.run(request(StoredBatch.read(BATCH).rollouts(), Optional.of(out)), () -> 0, () -> false));
  }

  @Test
  void what_is_wrong_in_a_batch_is_named_with_its_line() throws IOException {
    List<TrainRollout> handed = StoredBatch.read(BATCH).rollouts();
    Path file = scratch.resolve("bad.jsonl");
    StoredBatch.write(file, handed.subList(0, 2));
    String good = Files.readString(file);
    for (String[] bad :
        new String[][] {
          {"\"stage\":[1", "\"stage\":[7", "line 1: the stage of a token"},
          {"\"truncated\"", "\"cut\"", "line 1: the keys [cut] are not known"},
          {"\"response_ids\":[", "\"response_ids\":[3,", "line 1: the length of stage"},
          {"\"advantages\"", "advantages", "line 1 is no valid JSON"},
        }) {
      Files.writeString(file, good.replace(bad[0], bad[1]));
      UnusableFolderException e =
          assertThrows(UnusableFolderException.class, () -> StoredBatch.read(file));
      assertTrue(e.getMessage().contains(bad[2]), e.getMessage());
    }
  }

  @Test
  void what_is_not_there_is_refused() {
    for (String[] args :
        new String[][] {
          {"train-step", "gone.jsonl", "--model", MODEL.toString()},
          {"train-step", BATCH.toString(), "--model", "gone"},
          {"train-step", BATCH.toString(), "--model", MODEL.toString(), "--show", "rollout-99"},
          {"train-step", BATCH.toString(), "--model", MODEL.toString(), "--precision", "fp8"},
        }) {
      assertEquals(Failure.USAGE, Rubricem.run(args), String.join(" ", args));
    }
    assertFalse(Files.exists(Path.of("gone")));
  }

  @Test
  void programs_are_written_with_a_call_of_each_method() throws IOException {
    Path out = scratch.resolve("scripts");
    assertEquals(0, Rubricem.run(new String[] {"export-script", out.toString()}));
    for (String name :
        List.of(
            "README.md", "model.pt", "weights.pt", "model.forward.safetensors",
            "model.backward.safetensors", "weights.adamw.safetensors")) {
      assertTrue(Files.exists(out.resolve(name)), name);
    }
    assertTrue(
        SafeTensors.open(out.resolve("weights.adamw.safetensors")).spec("changed.0.0").isPresent());
    assertEquals(Failure.USAGE, Rubricem.run(new String[] {"export-script", out.toString()}));
  }
}
