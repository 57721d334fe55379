package rubricem.gpu.verify;

import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.generate.GenerationRequest;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.generate.GeneratorSettings;
import rubricem.gpu.generate.Sampling;
import rubricem.gpu.model.ForwardPlan;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.MicroBatch;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.Scores;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.weights.ModelFolder;

/**
 * Logits, log-probabilities, entropies and greedy continuations of one model, with or without an
 * adapter, in both precisions.
 */
final class ForwardCheck {
  private static final List<String> KNOWN =
      List.of("input_ids", "next_token_logprobs", "last_logits", "entropy_mean");

  private final Places places;
  private final String stem;
  private final JsonNode document;
  private final ModelFolder folder;
  private final @Nullable LoraWeights lora;

  ForwardCheck(
      Places places, String stem, JsonNode document, ModelFolder folder,
      @Nullable LoraWeights lora) {
    this.places = places;
    this.stem = stem;
    this.document = document;
    this.folder = folder;
    this.lora = lora;
  }

  void run() throws IOException {
    if (lora == null) {
      places.absent(stem, document, List.of("greedy"));
      for (int i = 0; i < document.path("cases").size(); i++) {
        places.absent(stem + "/" + i, document.get("cases").get(i), KNOWN);
      }
    }
    for (Precision precision : List.of(Precision.FP32, Precision.FP64)) {
      Trials.run(places, stem, Numerics.of(folder, precision), this::compute);
    }
  }

  private List<Check> compute(Numerics way) throws IOException {
    List<Check> out = new ArrayList<>();
    try (Qwen3 model = way.open(folder, places.device(), lora)) {
      JsonNode cases = Handed.filled(document, "cases");
      for (int i = 0; i < cases.size(); i++) {
        one(model, way.tolerance(places.device()), stem + "/" + i, cases.get(i), out);
      }
      JsonNode greedy =
          document.has("greedy") ? Handed.filled(document, "greedy") : document.path("greedy");
      for (int i = 0; i < greedy.size(); i++) {
        out.add(greedy(model, stem + "/greedy-" + i, greedy.get(i)));
      }
      if (!greedy.isEmpty()) {
        generated(model, greedy, out);
      }
    }
    return out;
  }

  private static void one(
      Qwen3 model, double tolerance, String name, JsonNode handed, List<Check> out) {
    int[] ids = Handed.ids(handed, "input_ids");
    double[] logits = lastLogits(model, ids);
    out.add(
        Check.of(
            name, "last_logits",
            Deviations.absolute(Handed.numbers(handed, "last_logits"), logits), tolerance));
    if (handed.has("next_token_logprobs") || handed.has("entropy_mean")) {
      Scores scores = scores(model, ids);
      if (handed.has("next_token_logprobs")) {
        double[] expected = Handed.numbers(handed, "next_token_logprobs");
        double[] got = Arrays.copyOf(scores.logProbs(), ids.length - 1);
        out.add(
            Check.of(
                name, "next_token_logprobs", Deviations.absolute(expected, got),
                tolerance));
      }
      if (handed.has("entropy_mean")) {
        double got = Arrays.stream(scores.entropies()).average().orElse(Double.NaN);
        double expected = Handed.number(handed, "entropy_mean");
        out.add(Check.of(name, "entropy_mean", Math.abs(expected - got), tolerance));
      }
    }
    for (String key : Handed.others(handed, KNOWN)) {
      out.add(Check.failed(name, key, "this quantity is not known here"));
    }
  }

  private static double[] lastLogits(Qwen3 model, int[] ids) {
    try (NDManager scope = model.manager().newSubManager()) {
      MicroBatch batch =
          new MicroBatch(
              ids, positions(ids), new int[][] {{1, ids.length}}, new int[] {ids.length - 1},
              new int[1]);
      return Scores.doubles(model.logits(scope, batch));
    }
  }

  /** Of every position; what comes after the last one is not known, so any target serves. */
  private static Scores scores(Qwen3 model, int[] ids) {
    int[] targets = Arrays.copyOf(Arrays.copyOfRange(ids, 1, ids.length), ids.length);
    MicroBatch batch =
        new MicroBatch(
            ids, positions(ids), new int[][] {{1, ids.length}}, positions(ids), targets);
    return model.logprobs(batch, ForwardPlan.keepAll().withEntropy());
  }

  private static int[] positions(int[] ids) {
    return IntStream.range(0, ids.length).toArray();
  }

  private static Check greedy(Qwen3 model, String name, JsonNode handed) {
    int[] ids = Handed.ids(handed, "prompt_ids");
    int[] expected = Handed.ids(handed, "continuation");
    int prompt = ids.length;
    while (ids.length < prompt + expected.length) {
      double[] logits = lastLogits(model, ids);
      int best = 0;
      for (int v = 1; v < logits.length; v++) {
        best = logits[v] > logits[best] ? v : best;
      }
      ids = Arrays.copyOf(ids, ids.length + 1);
      ids[ids.length - 1] = best;
    }
    int[] got = Arrays.copyOfRange(ids, prompt, ids.length);
    return Check.of(name, "continuation", differing(expected, got), 0);
  }

  /** The same by the sampler that users have, all together, with its cache of keys and values. */
  private void generated(Qwen3 model, JsonNode greedy, List<Check> out) {
    List<GenerationRequest> requests = new ArrayList<>();
    for (JsonNode handed : greedy) {
      requests.add(
          new GenerationRequest(
              Handed.ids(handed, "prompt_ids"), Handed.ids(handed, "continuation").length,
              Sampling.greedy()));
    }
    try (Snapshot weights = model.snapshot(0);
        Generator generator = new Generator(weights, GeneratorSettings.usual(1, 1))) {
      List<Generator.Ticket> tickets = generator.submit(requests);
      for (int i = 0; i < greedy.size(); i++) {
        int[] got = tickets.get(i).result().toCompletableFuture().join().ids();
        int[] expected = Handed.ids(greedy.get(i), "continuation");
        out.add(
            Check.of(stem + "/greedy-" + i, "generated", differing(expected, got), 0));
      }
    }
  }

  private static int differing(int[] expected, int[] got) {
    int differ = Math.abs(expected.length - got.length);
    for (int i = 0; i < Math.min(expected.length, got.length); i++) {
      differ += expected[i] == got[i] ? 0 : 1;
    }
    return differ;
  }
}
