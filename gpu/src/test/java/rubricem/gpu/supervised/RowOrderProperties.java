package rubricem.gpu.supervised;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RowOrderProperties {
  @Property(tries = 200)
  void an_epoch_has_every_row_once(
      @ForAll @IntRange(min = 1, max = 60) int rows,
      @ForAll @IntRange(min = 1, max = 70) int perStep,
      @ForAll long seed,
      @ForAll @IntRange(max = 5) int epoch) {
    RowOrder order = new RowOrder(rows, perStep, seed);
    long first = epoch * order.stepsOfEpoch();
    int[] seen =
        LongStream.range(first, first + order.stepsOfEpoch())
            .mapToObj(order::at)
            .flatMapToInt(Arrays::stream)
            .sorted()
            .toArray();
    assertEquals(
        IntStream.range(0, rows).boxed().toList(), Arrays.stream(seen).boxed().toList());
    assertEquals(epoch, order.epochOf(first));
    assertEquals(epoch, order.epochOf(first + order.stepsOfEpoch() - 1));
  }

  @Example
  void epochs_and_seeds_differ_in_their_order() {
    RowOrder order = new RowOrder(50, 50, 1);
    assertFalse(Arrays.equals(order.at(0), order.at(1)));
    assertFalse(Arrays.equals(order.at(0), new RowOrder(50, 50, 2).at(0)));
    assertFalse(Arrays.equals(order.at(0), IntStream.range(0, 50).toArray()));
  }
}
