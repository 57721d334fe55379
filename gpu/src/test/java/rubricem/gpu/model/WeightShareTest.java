package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.gpu.weights.QwenShape;

class WeightShareTest {
  @ParameterizedTest
  @CsvSource({"1, true", "2, true", "2, false", "3, false", "64, true"})
  void every_array_is_in_one_share(int count, boolean tied) {
    QwenShape shape = RandomQwen.shape(tied);
    FusedLayout layout = FusedLayout.of(shape);
    List<WeightShare> shares = WeightShare.of(shape, count);
    assertEquals(Math.min(count, shape.layers() + 1), shares.size());
    assertArrayEquals(
        IntStream.range(0, layout.shapes().size()).toArray(),
        shares.stream().flatMapToInt(s -> IntStream.of(s.trained())).sorted().toArray());
    assertArrayEquals(
        IntStream.range(0, 2 + QwenProgram.EFFECTIVE_OF_LAYER * shape.layers()).toArray(),
        shares.stream().flatMapToInt(s -> IntStream.of(s.effective())).sorted().toArray());
  }
}
