package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.app.node.StageCredit;
import rubricem.gpu.device.DeviceName;
import rubricem.gpu.model.Precision;
import rubricem.gpu.train.AdamWOptions;
import rubricem.gpu.verify.StepRerun;
import rubricem.gpu.verify.StoredBatch;
import rubricem.gpu.weights.LoraFolder;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.Credit;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TrainRollout;
import rubricem.testkit.Shared;

/** A stored step that is run again: the same numbers, whatever form it was stored in. */
class TrainStepTest {
  private static final Path BATCH = Shared.golden("ssgrpo.json");
  private static final Path MODEL = Shared.golden("qwen3-tied");

  @TempDir Path scratch;

  static StepRerun.Request request(List<TrainRollout> rollouts, Optional<Path> out) {
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
    List<TrainRollout> handed = StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts();
    Path stored = scratch.resolve("step.jsonl");
    StoredBatch.write(stored, handed);
    List<TrainRollout> again = StoredBatch.read(stored, new StageCredit(Credit.PAPER)).rollouts();
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
    List<TrainRollout> handed = StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts();
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
    StepRerun.run(request(StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts(), Optional.of(out)), () -> 0, () -> false);
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
        () -> StepRerun.run(request(StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts(), Optional.of(out)), () -> 0, () -> false));
  }

  @Test
  void a_step_that_is_skipped_leaves_no_folder() throws IOException {
    Path out = scratch.resolve("skipped");
    List<TrainRollout> endless =
        StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts().stream()
            .map(r -> {
              double[] advantages = new double[r.advantages().length];
              java.util.Arrays.fill(advantages, 1e308);
              return new TrainRollout(
                  r.group(), r.id(), 0, r.promptIds(), r.responseIds(), r.stage(),
                  r.samplerLogProbs(), r.oldLogProbs(), r.referenceLogProbs(), advantages, false);
            })
            .toList();
    StepRerun.Result result =
        StepRerun.run(request(endless, Optional.of(out)), () -> 0, () -> false);
    assertTrue(result.report().skipped() != null);
    assertFalse(Files.exists(out));
  }

  @Test
  void stage_scores_become_advantages_as_the_configuration_credits_them() throws IOException {
    JsonNode handed = Shared.goldenJson("ssgrpo.json").get("groups");
    List<TrainRollout> rollouts = StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts();
    Path stored = scratch.resolve("step.jsonl");
    StoredBatch.write(stored, rollouts);
    List<String> lines = new ArrayList<>();
    int at = 0;
    List<String> written = Files.readAllLines(stored);
    for (JsonNode group : handed) {
      for (JsonNode rollout : group.get("rollouts")) {
        ObjectNode line = (ObjectNode) new ObjectMapper().readTree(written.get(at++));
        line.remove("advantages");
        line.set("stage_scores", rollout.get("stage_scores"));
        lines.add(line.toString());
      }
    }
    Files.write(stored, lines);
    List<TrainRollout> credited = StoredBatch.read(stored, new StageCredit(Credit.PAPER)).rollouts();
    for (int i = 0; i < rollouts.size(); i++) {
      assertArrayEquals(rollouts.get(i).advantages(), credited.get(i).advantages(), 1e-9);
    }
    Credit terminal =
        new Credit(
            Credit.Mode.TERMINAL, Credit.PAPER_WEIGHTS, Credit.Scale.GROUP_STD, 1e-8, 1e-6, false,
            Credit.Unit.RETURNS, 2);
    double[] broadcast =
        StoredBatch.read(stored, new StageCredit(terminal)).rollouts().getFirst().advantages();
    assertEquals(broadcast[3], broadcast[0], 1e-12);
  }

  private static void step(String... more) {
    List<String> args = new ArrayList<>(List.of("train-step"));
    args.addAll(List.of(more));
    args.addAll(List.of("--model", MODEL.toString(), "--quiet"));
    Told told = Told.by(args.toArray(String[]::new));
    assertEquals(0, told.code(), told.err());
  }

  private static double[] change(Path stepped, String name) throws IOException {
    double[] before = ModelFolder.open(MODEL).tensor(name).toDoubles();
    double[] after = ModelFolder.open(stepped).tensor(name).toDoubles();
    Arrays.setAll(after, i -> after[i] - before[i]);
    return after;
  }

  @Test
  void the_optimiser_is_the_files_else_the_configurations() throws IOException {
    Path handed = scratch.resolve("handed");
    step(BATCH.toString(), "--out", handed.toString());
    SafeTensors expected = SafeTensors.open(Shared.golden("ssgrpo.after_adamw.safetensors"));
    StoredTensor one = expected.tensors().getFirst();
    double[] ours = ModelFolder.open(handed).tensor(one.name()).toDoubles();
    double[] theirs = one.toDoubles();
    double mean = 0;
    for (int i = 0; i < ours.length; i++) {
      mean += Math.abs(theirs[i] - ours[i]) / ours.length;
    }
    assertTrue(mean < 1e-6, "rate 1e-3 and decay 0.01 stand in the file; off by " + mean);

    Path stored = scratch.resolve("step.jsonl");
    StoredBatch.write(stored, StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts());
    Path config = scratch.resolve("run.conf");
    Path usual = scratch.resolve("usual");
    step(stored.toString(), "--out", usual.toString());
    double most = Arrays.stream(change(usual, one.name())).map(Math::abs).max().orElseThrow();
    assertEquals(5e-7, most, 1e-7, "a first step of AdamW goes as far as the rate");
    Files.writeString(
        config,
        "rubricem.learner { schedule.rate = 0.002, optimiser.max-grad-norm = 1e-9,"
            + " optimiser.weight-decay = 0.5, optimiser.epsilon = 1 }");
    Path stepped = scratch.resolve("stepped");
    step(stored.toString(), "--config", config.toString(), "--out", stepped.toString());
    double[] before = ModelFolder.open(MODEL).tensor(one.name()).toDoubles();
    double[] change = change(stepped, one.name());
    for (int i = 0; i < before.length; i++) {
      // a gradient clipped to nothing leaves the decay alone
      assertEquals(-before[i] * 0.002 * 0.5, change[i], 1e-7);
    }
  }

  @Test
  void with_a_rank_a_fresh_adapter_is_trained_and_written() throws IOException {
    Path config = scratch.resolve("lora.conf");
    Files.writeString(
        config, "rubricem.learner.adapter { rank = 3, alpha = 6, targets = [q_proj] }");
    Path out = scratch.resolve("adapter");
    step(BATCH.toString(), "--config", config.toString(), "--out", out.toString());
    LoraFolder adapter = LoraFolder.read(out, ModelFolder.open(MODEL).shape());
    assertEquals(3, adapter.config().rank());
    assertEquals(6, adapter.config().alpha());
    assertEquals(MODEL.toAbsolutePath().normalize(), LoraFolder.base(out).orElseThrow());
    assertTrue(adapter.pairs().stream().allMatch(p -> p.module().endsWith(".q_proj")));
    assertTrue(
        Arrays.stream(adapter.pairs().getFirst().up().toDoubles()).anyMatch(v -> v != 0),
        "a fresh one has zeros there");
  }

  @Test
  void what_is_wrong_in_a_batch_is_named_with_its_line() throws IOException {
    List<TrainRollout> handed = StoredBatch.read(BATCH, new StageCredit(Credit.PAPER)).rollouts();
    Path file = scratch.resolve("bad.jsonl");
    StoredBatch.write(file, handed.subList(0, 2));
    String good = Files.readString(file);
    for (String[] bad :
        new String[][] {
          {"\"stage\":[1", "\"stage\":[7", "line 1: the stage of a token"},
          {"\"truncated\"", "\"cut\"", "line 1: the keys [cut] are not known"},
          {"\"response_ids\":[", "\"response_ids\":[3,", "line 1: the length of stage"},
          {"\"advantages\"", "advantages", "line 1 is no valid JSON"},
          {"\"advantages\":[", "\"advantages\":[0,", "line 1: advantages has 5 numbers"},
          {"\"advantages\":[", "\"rewards\":[", "line 1: there is neither advantages nor stage_scores"},
        }) {
      Files.writeString(file, good.replace(bad[0], bad[1]));
      UnusableFolderException e =
          assertThrows(UnusableFolderException.class, () -> StoredBatch.read(file, new StageCredit(Credit.PAPER)));
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
