package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.device.DeviceStoppedException;
import rubricem.gpu.loss.StepPlan;
import rubricem.gpu.model.ForwardPlan;
import rubricem.gpu.model.MicroBatch;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.train.StepReport;
import rubricem.gpu.train.Trainer;
import rubricem.gpu.weights.ModelFolder;
import rubricem.gpu.weights.SafeTensors;
import rubricem.gpu.weights.StoredTensor;
import rubricem.protocol.learning.LearnerOptions;
import rubricem.protocol.learning.TrainRollout;

/**
 * A step of SS-GRPO in all its handed variants: credit, log-probabilities, losses, gradients, and
 * the weights after an optimiser step, all by what users train with.
 */
final class SurrogateCheck {
  /** Plain double arithmetic on both sides; the spread that is divided by magnifies rounding. */
  private static final double CREDIT = 1e-9;

  /** Null where no file of gradients belongs to the document. */
  static final String GRADIENTS = "gradients";

  private static final List<String> KNOWN =
      List.of("note", "groups", "variants", HandedOptimiser.KEY, GRADIENTS);

  /** What a variant usually says beside its loss, without which there is nothing to compare. */
  private static final List<String> BESIDE_LOSS =
      List.of("kl3_mean", "tokens", "clip_fraction", "grad_norm", "grad_norms");

  private final Places places;
  private final String stem;
  private final JsonNode document;
  private final HandedRollouts handed;

  SurrogateCheck(Places places, String stem, JsonNode document) {
    this.places = places;
    this.stem = stem;
    this.document = document;
    handed = HandedRollouts.of(document);
  }

  void noteOthers() {
    for (String key : Handed.others(document, KNOWN)) {
      places.notes().accept(stem + ": " + key + " is not known here and was not checked");
    }
    places.absent(stem, document, List.of("variants", HandedOptimiser.KEY));
    places.absent(
        stem, handed.nodes().getFirst(),
        List.of("stage_scores", "policy_logprobs", "reference_logprobs"));
    for (String variant : variants()) {
      places.absent(stem + "/" + variant, document.get("variants").get(variant), BESIDE_LOSS);
    }
    if (document.has("variants") && variants().isEmpty()) {
      places.checks().accept(Check.failed(stem, "variants", "there are no variants"));
    }
  }

  void credit(CreditRule rule) {
    if (handed.have("stage_scores")) {
      List<double[][]> scores = handed.groups("stage_scores");
      credit("returns", scores.stream().map(rule::returns).toList());
      credit("advantages", scores.stream().map(rule::advantages).toList());
    }
  }

  private void credit(String key, List<double[][]> ours) {
    double[] got = TrainerSetup.joined(ours.stream().flatMap(Arrays::stream).toList());
    double deviation = Deviations.absolute(handed.all(key), got);
    places.checks().accept(Check.of(stem, key, deviation, CREDIT));
  }

  /** Of every response token, also those nobody sampled. */
  void logProbs(String key, ModelFolder folder) throws IOException {
    if (!handed.have(key)) {
      return;
    }
    for (Precision precision : List.of(Precision.FP32, Precision.FP64)) {
      Trials.run(
          places, stem, Numerics.of(folder, precision),
          way ->
              List.of(
                  Check.of(
                      stem, key, distance(key, folder, way), way.tolerance(places.device()))));
    }
  }

  double distance(String key, ModelFolder folder, Numerics way) throws IOException {
    try (Qwen3 model = way.open(folder, places.device(), null)) {
      List<Document> all = handed.rollouts().stream().map(SurrogateCheck::whole).toList();
      double[] scores = model.logprobs(MicroBatch.of(all), ForwardPlan.keepAll()).logProbs();
      List<double[]> responses = new ArrayList<>();
      int at = 0;
      for (TrainRollout rollout : handed.rollouts()) {
        at += rollout.promptIds().length - 1;
        responses.add(Arrays.copyOfRange(scores, at, at + rollout.length()));
        at += rollout.length();
      }
      return Deviations.absolute(handed.all(key), TrainerSetup.joined(responses));
    }
  }

  private static Document whole(TrainRollout rollout) {
    int prompt = rollout.promptIds().length;
    int[] ids = Arrays.copyOf(rollout.promptIds(), prompt + rollout.length());
    System.arraycopy(rollout.responseIds(), 0, ids, prompt, rollout.length());
    return Document.whole(ids);
  }

  List<String> variants() {
    return document.path("variants").properties().stream().map(Map.Entry::getKey).toList();
  }

  /** Every variant in both precisions, each from the same weights. */
  void variants(ModelFolder folder, Map<String, Path> gradientFiles) throws IOException {
    for (Precision precision : List.of(Precision.FP32, Precision.FP64)) {
      Trials.run(
          places, stem, Numerics.ofLosses(folder, precision),
          way -> {
            try (Qwen3 model = way.open(folder, places.device(), null)) {
              return variants(model, gradientFiles);
            }
          });
    }
  }

  private List<Check> variants(Qwen3 model, Map<String, Path> gradientFiles) {
    List<Check> checks = new ArrayList<>();
    try (Trainer trainer = TrainerSetup.still(places, model)) {
      AtomicReference<Map<String, StoredTensor>> gradients = new AtomicReference<>(Map.of());
      trainer.watchGradients(gradients::set);
      for (String variant : variants()) {
        variant(trainer, variant, gradients, gradientFiles.get(variant), checks);
      }
    }
    return checks;
  }

  private void variant(
      Trainer trainer, String variant, AtomicReference<Map<String, StoredTensor>> gradients,
      @Nullable Path file, List<Check> checks) {
    String name = stem + "/" + variant;
    try {
      StepReport report = trainer.reinforce(plan(variant), 0);
      JsonNode expected = document.get("variants").get(variant);
      outcome(name, expected, report, checks);
      checks.addAll(GradientComparison.norms(name, expected, gradients.get(), report));
      if (file != null) {
        checks.add(
            GradientComparison.elements(
                name, "gradients", SafeTensors.open(file), gradients.get()));
      }
    } catch (DeviceStoppedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      checks.add(Verification.failed(name, "variant", e));
    }
  }

  private StepPlan plan(String variant) {
    JsonNode expected = document.path("variants").get(variant);
    if (expected == null) {
      throw new HandedProblem("there is no variant " + variant);
    }
    LearnerOptions options = VariantOptions.of(expected);
    return StepPlan.of(options, 0, handed.rollouts());
  }

  private static void outcome(
      String name, JsonNode expected, StepReport report, List<Check> checks) {
    Map<String, Double> got =
        Map.of(
            "loss", report.loss(), "kl3_mean", report.sums().kl3().mean(),
            "tokens", (double) report.sums().tokens(),
            "clip_fraction", report.sums().clipShare());
    if (!expected.has("loss")) {
      checks.add(Check.failed(name, "loss", "there is no loss"));
    }
    for (String key : List.of("loss", "kl3_mean", "tokens", "clip_fraction")) {
      if (expected.has(key)) {
        double handed = Handed.number(expected, key);
        double deviation = Math.abs(handed - got.get(key));
        // a mean of exponentials: beyond 1 its rounding grows with it
        double size = key.equals("kl3_mean") ? Math.max(1, Math.abs(handed)) : 1;
        checks.add(
            Check.of(
                name, key, deviation, key.equals("tokens") ? 0 : size * GradientComparison.LOSS));
      }
    }
  }

  /** One step of the optimiser with a variant's clipped gradient. */
  void stepped(ModelFolder folder, String variant, Path file) throws IOException {
    HandedOptimiser optimiser = HandedOptimiser.of(document);
    for (Precision precision : List.of(Precision.FP32, Precision.FP64)) {
      Trials.run(
          places, stem, Numerics.ofLosses(folder, precision),
          way -> {
            try (Qwen3 model = way.open(folder, places.device(), null);
                Trainer trainer = TrainerSetup.of(places, model, optimiser.options())) {
              trainer.reinforce(plan(variant), optimiser.learningRate());
              return GradientComparison.steppedWeights(
                  stem + "/after_adamw", SafeTensors.open(file), model.export());
            }
          });
    }
  }
}
