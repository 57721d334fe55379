package rubricem.actors.credit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Every episode of a small world, with its exact probability: four stages of one action each, a
 * softmax policy over three actions that sees the action before, a true quality of each stage that
 * depends on all actions up to it, and a judge that is wrong by at most {@code noise}.
 */
final class TabularEpisodes {
  static final int STAGES = 4;
  static final int ACTIONS = 3;

  /** One path through the world. */
  record Episode(int[] actions, double probability, double[] quality, double[] judged) {}

  private final double[][][] policy = new double[STAGES][ACTIONS][];
  private final List<Episode> episodes = new ArrayList<>();

  TabularEpisodes(long seed, double noise) {
    Random random = new Random(seed);
    for (double[][] stage : policy) {
      for (int before = 0; before < ACTIONS; before++) {
        stage[before] = softmax(random.doubles(ACTIONS, -1, 1).toArray());
      }
    }
    grow(random, noise, new int[0], 1, new double[0], new double[0]);
  }

  private static double[] softmax(double[] logits) {
    double sum = Arrays.stream(logits).map(Math::exp).sum();
    return Arrays.stream(logits).map(x -> Math.exp(x) / sum).toArray();
  }

  private void grow(
      Random random, double noise, int[] actions, double p, double[] quality, double[] judged) {
    int k = actions.length;
    if (k == STAGES) {
      episodes.add(new Episode(actions, p, quality, judged));
      return;
    }
    for (int a = 0; a < ACTIONS; a++) {
      double real = random.nextDouble();
      double seen = Math.clamp(real + noise * (2 * random.nextDouble() - 1), 0, 1);
      grow(
          random, noise, and(actions, a), p * policy[k][before(actions)][a],
          and(quality, real), and(judged, seen));
    }
  }

  private static int before(int[] actions) {
    return actions.length == 0 ? 0 : actions[actions.length - 1];
  }

  private static int[] and(int[] values, int more) {
    int[] longer = Arrays.copyOf(values, values.length + 1);
    longer[values.length] = more;
    return longer;
  }

  private static double[] and(double[] values, double more) {
    double[] longer = Arrays.copyOf(values, values.length + 1);
    longer[values.length] = more;
    return longer;
  }

  List<Episode> all() {
    return episodes;
  }

  /** Γ: the gradient of the stage's log-probability with respect to the stage's logits. */
  double[] score(Episode episode, int stage) {
    double[] gradient = new double[ACTIONS * ACTIONS];
    int before = stage == 0 ? 0 : episode.actions()[stage - 1];
    for (int a = 0; a < ACTIONS; a++) {
      gradient[before * ACTIONS + a] =
          (episode.actions()[stage] == a ? 1 : 0) - policy[stage][before][a];
    }
    return gradient;
  }

  /** The expectation of Γ times a value of the episode. */
  double[] expectation(int stage, ToDoubleFunction<Episode> value) {
    double[] sum = new double[ACTIONS * ACTIONS];
    for (Episode episode : episodes) {
      add(sum, score(episode, stage), episode.probability() * value.applyAsDouble(episode));
    }
    return sum;
  }

  double mean(ToDoubleFunction<Episode> value) {
    return episodes.stream().mapToDouble(e -> e.probability() * value.applyAsDouble(e)).sum();
  }

  static void add(double[] sum, double[] more, double times) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += times * more[i];
    }
  }

  static double distance(double[] a, double[] b) {
    double squares = 0;
    for (int i = 0; i < a.length; i++) {
      squares += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(squares);
  }
}
