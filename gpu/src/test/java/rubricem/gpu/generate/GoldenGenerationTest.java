package rubricem.gpu.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.Device;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.Golden;
import rubricem.gpu.model.ForwardPlan;
import rubricem.gpu.model.MicroBatch;
import rubricem.gpu.model.MicroBatch.Document;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.model.Snapshot;
import rubricem.gpu.weights.ModelFolder;

class GoldenGenerationTest {
  @ParameterizedTest
  @CsvSource({
    "qwen3-tied, FP32, FLOAT32",
    "qwen3-tied, FP64, FLOAT32",
    "qwen3-untied-sharded-bf16, FP32, BFLOAT16",
    "qwen3-untied-sharded-bf16, FP64, BFLOAT16"
  })
  void greedy_continuations_are_those_of_transformers(
      String name, Precision precision, RotaryFrequencies frequencies) throws Exception {
    try (Snapshot weights = Models.golden(name, precision, frequencies);
        Generator generator = new Generator(weights, GeneratorSettings.usual(1, 1))) {
      List<GenerationRequest> requests = new ArrayList<>();
      List<int[]> expected = new ArrayList<>();
      for (JsonNode c : Golden.json(name + ".forward.json").get("greedy")) {
        expected.add(ints(c.get("continuation")));
        requests.add(
            new GenerationRequest(
                ints(c.get("prompt_ids")), c.get("continuation").size(), Sampling.greedy()));
      }
      List<Generation> got = Models.run(generator, requests);
      for (int i = 0; i < got.size(); i++) {
        assertArrayEquals(expected.get(i), got.get(i).ids());
      }
    }
  }

  /** Training divides by what sampling multiplied with: with equal weights the ratio is one. */
  @ParameterizedTest
  @CsvSource({"1", "0.6", "1.7"})
  void L42_log_probabilities_are_those_that_training_computes(double temperature) throws Exception {
    ModelFolder folder = ModelFolder.open(Golden.file("qwen3-tied"));
    try (Qwen3 model = Qwen3.open(folder, Device.cpu(), Precision.FP32);
        Snapshot weights = model.snapshot(1);
        Generator generator = new Generator(weights, GeneratorSettings.usual(1, 1))) {
      SplittableRandom random = new SplittableRandom(5);
      List<GenerationRequest> requests =
          IntStream.range(0, 12)
              .mapToObj(
                  i ->
                      new GenerationRequest(
                          random.ints(3 + 7L * i, 0, 320).toArray(), 40,
                          new Sampling(temperature, i % 2 == 0 ? 0 : 20, i % 3 == 0 ? 1 : 0.8, i)))
              .toList();
      List<Generation> all = Models.run(generator, requests);
      for (int i = 0; i < all.size(); i++) {
        Generation one = all.get(i);
        int[] prompt = requests.get(i).prompt();
        int[] ids =
            IntStream.concat(IntStream.of(prompt), IntStream.of(one.ids())).toArray();
        boolean[] scored = new boolean[ids.length];
        java.util.Arrays.fill(scored, prompt.length, ids.length, true);
        double[] trained =
            model
                .logprobs(
                    MicroBatch.of(List.of(new Document(ids, scored))),
                    new ForwardPlan(Integer.MAX_VALUE, 1 << 30, temperature, false))
                .logProbs();
        assertArrayEquals(trained, one.policyLogProbs(), 1e-5);
        if (!requests.get(i).sampling().isFiltered()) {
          assertArrayEquals(one.policyLogProbs(), one.sampledLogProbs());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"FP32, 1e-5", "BF16, 5e-2"})
  void packed_matrices_give_the_same_numbers(Precision precision, double tolerance)
      throws Exception {
    ModelFolder folder = ModelFolder.open(Golden.file("qwen3-tied"));
    List<GenerationRequest> requests =
        IntStream.range(1, 20)
            .mapToObj(
                i ->
                    new GenerationRequest(
                        new SplittableRandom(i).ints(3L * i, 0, 320).toArray(), 1,
                        Sampling.plain(i)))
            .toList();
    List<List<Generation>> both = new ArrayList<>();
    for (boolean pack : new boolean[] {false, true}) {
      try (Snapshot weights =
              Snapshot.of(
                  folder.shape(), folder::tensor, Device.cpu(), precision,
                  RotaryFrequencies.FLOAT32, 1, pack);
          Generator generator = new Generator(weights, GeneratorSettings.usual(1, 1))) {
        both.add(Models.run(generator, requests));
      }
    }
    for (int i = 0; i < requests.size(); i++) {
      if (precision == Precision.FP32) {
        assertArrayEquals(both.get(0).get(i).ids(), both.get(1).get(i).ids());
      }
      if (both.get(0).get(i).ids()[0] == both.get(1).get(i).ids()[0]) {
        assertArrayEquals(
            both.get(0).get(i).policyLogProbs(), both.get(1).get(i).policyLogProbs(), tolerance);
      }
    }
  }

  @Test
  void a_training_step_does_not_reach_a_snapshot() throws Exception {
    ModelFolder folder = ModelFolder.open(Golden.file("qwen3-tied"));
    int[] before;
    try (Qwen3 model = Qwen3.open(folder, Device.cpu(), Precision.FP32);
        Snapshot weights = model.snapshot(3);
        Generator generator = new Generator(weights, GeneratorSettings.usual(1, 1))) {
      GenerationRequest request =
          new GenerationRequest(new int[] {1, 2, 3}, 30, Sampling.greedy());
      before = Models.run(generator, request).ids();
      for (int i = 0; i < model.trained().size(); i++) {
        model.trained().get(i).muli(0.5);
      }
      model.refresh();
      Generation after = Models.run(generator, request);
      assertArrayEquals(before, after.ids());
      assertEquals(3, after.version());
    }
  }

  private static int[] ints(JsonNode node) {
    int[] out = new int[node.size()];
    java.util.Arrays.setAll(out, i -> node.get(i).asInt());
    return out;
  }
}
