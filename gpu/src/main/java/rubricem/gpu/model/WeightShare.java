package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import rubricem.gpu.weights.QwenShape;

/**
 * Some of the trained arrays and the effective arrays made from them, so that several threads can
 * settle a step side by side: shares have no array in common and together have them all. Within a
 * share come whole layers, then embedding, last norm and head where it has those.
 *
 * @param trained indices among the trained arrays
 * @param effective indices among the effective arrays, whose gradients backward gives
 */
public record WeightShare(int[] trained, int[] effective) {

  /** Everything in one, whatever the arrays are. */
  static WeightShare whole(int trained, int effective) {
    return new WeightShare(
        IntStream.range(0, trained).toArray(), IntStream.range(0, effective).toArray());
  }

  /** At most {@code count} shares of a model's weights, of about one size. */
  static List<WeightShare> of(QwenShape shape, int count) {
    int layers = shape.layers();
    long outer = (long) shape.vocabulary() * shape.hidden() * (shape.tied() ? 1 : 2);
    long layer = (shape.parameters() - outer) / Math.max(1, layers);
    List<List<Integer>> units = new ArrayList<>();
    long[] load = new long[count];
    for (int i = 0; i < count; i++) {
      units.add(new ArrayList<>());
    }
    // a layer is the smaller one nearly always: the outer arrays go first
    for (int unit = layers; unit >= 0; unit--) {
      int least =
          IntStream.range(0, count).boxed().min(Comparator.comparingLong(i -> load[i])).orElse(0);
      units.get(least).add(unit);
      load[least] += unit == layers ? outer : layer;
    }
    return units.stream().filter(u -> !u.isEmpty()).map(u -> share(shape, u)).toList();
  }

  private static WeightShare share(QwenShape shape, List<Integer> units) {
    int layers = shape.layers();
    IntStream.Builder trained = IntStream.builder();
    IntStream.Builder effective = IntStream.builder();
    for (int unit : units.stream().sorted().toList()) {
      if (unit < layers) {
        range(1 + QwenProgram.MASTER_OF_LAYER * unit, QwenProgram.MASTER_OF_LAYER, trained);
        range(1 + QwenProgram.EFFECTIVE_OF_LAYER * unit, QwenProgram.EFFECTIVE_OF_LAYER, effective);
      } else {
        trained.add(0);
        range(1 + QwenProgram.MASTER_OF_LAYER * layers, shape.tied() ? 1 : 2, trained);
        effective.add(0);
        effective.add(1 + QwenProgram.EFFECTIVE_OF_LAYER * layers);
      }
    }
    return new WeightShare(trained.build().toArray(), effective.build().toArray());
  }

  private static void range(int from, int count, IntStream.Builder into) {
    IntStream.range(from, from + count).forEach(into::add);
  }

  @Override
  public String toString() {
    return "trained " + Arrays.toString(trained) + ", effective " + Arrays.toString(effective);
  }
}
