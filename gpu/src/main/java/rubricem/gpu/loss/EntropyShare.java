package rubricem.gpu.loss;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Silences the policy term of all but the share of tokens with the highest entropy of the step. The
 * tokens stay in the divisor and keep their penalty: they are not rejected, only not pushed. Equal
 * entropies are told apart by their place, so that a step can be repeated.
 */
final class EntropyShare {
  private final double share;
  private final double[][] entropies;

  private EntropyShare(double share, double[][] entropies) {
    this.share = share;
    this.entropies = entropies;
  }

  static EntropyShare of(double share, double @Nullable [][] entropies) {
    if (entropies == null) {
      throw new IllegalArgumentException(
          "selection.entropy-share is " + share
              + ", which needs the entropies of all tokens before the step");
    }
    return new EntropyShare(share, entropies);
  }

  private record Place(int rollout, int token, double entropy) {}

  void apply(List<RolloutPlan> plans) {
    List<Place> places =
        IntStream.range(0, plans.size()).boxed()
            .flatMap(r -> places(r, plans.get(r)).stream())
            .sorted(Comparator.comparingDouble(Place::entropy).reversed())
            .toList();
    int chosen = (int) Math.ceil(share * places.size());
    places.stream()
        .skip(chosen)
        .forEach(place -> plans.get(place.rollout()).weight[place.token()] = 0);
  }

  private List<Place> places(int r, RolloutPlan plan) {
    double[] own = entropies[r];
    if (own.length != plan.kept.length) {
      throw new IllegalArgumentException(
          "rollout " + plan.rollout.id() + " has " + plan.kept.length + " response tokens and "
              + own.length + " entropies");
    }
    return Arrays.stream(IntStream.range(0, own.length).filter(t -> plan.kept[t]).toArray())
        .mapToObj(t -> new Place(r, t, Double.isNaN(own[t]) ? Double.NEGATIVE_INFINITY : own[t]))
        .toList();
  }
}
