package rubricem.gpu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.model.Snapshot;

class SamplingTest {
  private static final int DRAWS = 4000;
  private static final int[] PROMPT = {3, 1, 4, 1, 5};

  /** One token each, so that all are drawn from the same distribution. */
  private static Map<Integer, Double> shares(Generator generator, double heat, int k, double p) {
    return IntStream.range(0, DRAWS / 500)
        .boxed()
        .flatMap(
            part ->
                Models.run(
                    generator,
                    IntStream.range(500 * part, 500 * part + 500)
                        .mapToObj(
                            seed ->
                                new GenerationRequest(
                                    PROMPT, 1, new Sampling(heat, k, p, seed)))
                        .toList())
                    .stream())
        .collect(
            Collectors.groupingBy(
                g -> g.ids()[0], TreeMap::new, Collectors.summingDouble(g -> 1.0 / DRAWS)));
  }

  /** Natural logarithms by token, of as many tokens as were met. */
  private static Map<Integer, Double> policy(Generator generator, double heat) {
    Map<Integer, Double> out = new TreeMap<>();
    for (int seed = 0; seed < 900; seed++) {
      Generation g =
          Models.run(
              generator, new GenerationRequest(PROMPT, 1, new Sampling(heat, 0, 1, seed)));
      out.put(g.ids()[0], g.policyLogProbs()[0]);
    }
    return out;
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 1", "0.7, 0, 1", "1, 5, 1", "1, 0, 0.6", "1.3, 12, 0.7", "1, 1, 1"})
  void tokens_are_drawn_as_often_as_the_filtered_distribution_says(double heat, int k, double p)
      throws Exception {
    try (Snapshot weights = Models.small(4, 1);
        Generator generator = new Generator(weights, Models.settings(1, 64))) {
      Map<Integer, Double> all = policy(generator, heat);
      Map<Integer, Double> expected = filter(all, k, p);
      Map<Integer, Double> got = shares(generator, heat, k, p);
      got.forEach(
          (id, share) -> {
            double probability = expected.getOrDefault(id, k == 0 && p == 1 ? 0.0 : -1.0);
            assertTrue(probability >= 0, id + " should have been left out");
            assertEquals(probability, share, 5 * Math.sqrt(0.25 / DRAWS), "token " + id);
          });
      Generation one =
          Models.run(
              generator, new GenerationRequest(PROMPT, 1, new Sampling(heat, k, p, 11)));
      assertEquals(
          Math.log(expected.get(one.ids()[0])), one.sampledLogProbs()[0], 1e-4);
      assertEquals(all.get(one.ids()[0]), one.policyLogProbs()[0], 1e-5);
    }
  }

  /** The rule in plain arithmetic: the k likeliest, of those the fewest that reach p. */
  private static Map<Integer, Double> filter(Map<Integer, Double> logs, int k, double p) {
    var sorted =
        logs.entrySet().stream()
            .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
            .limit(k == 0 ? Long.MAX_VALUE : k)
            .toList();
    // what 900 draws did not meet counts too where nothing bounds the number
    double whole = k == 0 ? 1 : sorted.stream().mapToDouble(e -> Math.exp(e.getValue())).sum();
    Map<Integer, Double> kept = new TreeMap<>();
    double sum = 0;
    for (var entry : sorted) {
      if (sum >= p) {
        break;
      }
      double share = Math.exp(entry.getValue()) / whole;
      kept.put(entry.getKey(), share);
      sum += share;
    }
    double norm = k == 0 && p == 1 ? 1 : sum;
    kept.replaceAll((id, share) -> share / norm);
    return kept;
  }

  @Test
  void the_first_of_all_ranks_is_the_likeliest_at_temperature_zero() throws Exception {
    try (Snapshot weights = Models.small(4, 1);
        Generator generator = new Generator(weights, Models.settings(1, 4))) {
      Generation greedy =
          Models.run(generator, new GenerationRequest(PROMPT, 20, Sampling.greedy()));
      Generation first =
          Models.run(
              generator, new GenerationRequest(PROMPT, 20, new Sampling(1, 1, 1, 9)));
      org.junit.jupiter.api.Assertions.assertArrayEquals(greedy.ids(), first.ids());
      assertEquals(0, greedy.sampledLogProbs()[3]);
      assertTrue(greedy.policyLogProbs()[3] < 0);
      assertEquals(greedy.policyLogProbs()[3], first.policyLogProbs()[3], 1e-5);
    }
  }

  @Test
  void settings_that_mean_nothing_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> new Sampling(-1, 0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new Sampling(Double.NaN, 0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new Sampling(1, -1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new Sampling(1, 0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Sampling(1, 0, 1.1, 0));
  }
}
