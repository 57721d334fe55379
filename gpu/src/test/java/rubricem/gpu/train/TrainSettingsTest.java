package rubricem.gpu.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rubricem.gpu.weights.QwenShape;

class TrainSettingsTest {
  private static List<Integer> sizes(int budget, int workers, int... lengths) {
    List<int[]> documents =
        IntStream.range(0, lengths.length)
            .mapToObj(i -> IntStream.generate(() -> i).limit(lengths[i]).toArray())
            .toList();
    return settings(budget, workers)
        .packs(documents).stream()
            .map(pack -> Arrays.stream(pack).map(i -> lengths[i]).sum())
            .toList();
  }

  private static TrainSettings settings(int budget, int workers) {
    return new TrainSettings(new Packing.Tokens(budget), workers, 1, 1, 1);
  }

  @Test
  void a_small_step_is_parted_so_that_every_worker_has_some_of_it() {
    assertEquals(List.of(512, 512), sizes(4096, 2, 512, 512));
    assertEquals(List.of(100, 90), sizes(4096, 2, 30, 60, 70, 30));
    assertEquals(List.of(200), sizes(4096, 1, 100, 100));
    assertEquals(List.of(500), sizes(4096, 4, 500));
  }

  @Test
  void no_micro_batch_of_several_is_larger_than_allowed() {
    assertEquals(List.of(100, 100, 100), sizes(150, 2, 100, 100, 100));
  }

  @Test
  void micro_batches_are_as_many_for_each_worker() {
    assertEquals(List.of(100, 100, 100, 100), sizes(150, 2, 100, 100, 100, 100));
    assertEquals(List.of(80, 80, 80, 80), sizes(100, 2, 40, 40, 40, 40, 40, 40, 40, 40));
  }

  @Test
  void documents_that_begin_alike_share_a_micro_batch() {
    List<int[]> documents =
        List.of(
            new int[] {7, 7, 7, 1}, new int[] {8, 8, 8, 1}, new int[] {7, 7, 7, 2},
            new int[] {8, 8, 8, 2});
    assertEquals(
        List.of("[0, 2]", "[1, 3]"),
        settings(8, 2).packs(documents).stream().map(Arrays::toString).toList());
  }

  @Test
  void operations_are_those_of_the_peers_count() {
    // tiny1m, 8 sequences of 512: 6 x weights outside the embedding, 6 x head, 6 x attention
    QwenShape tiny = QwenShape.of(512, 128, 6, 4, 2, 32, 352, true, 2048);
    long tokens = 8 * 512;
    double inner = tiny.parameters() - 512 * 128;
    double each = 6 * inner + 6 * 512 * 128 + 6.0 * 6 * 4 * 32 * 512;
    assertEquals(
        each * tokens,
        StepFlops.of(tiny, false, tokens, tokens, 8L * 512 * 512 / 2),
        1);
    assertEquals(
        4.0 / 6,
        StepFlops.of(tiny, true, tokens, tokens, 0) / StepFlops.of(tiny, false, tokens, tokens, 0),
        1e-12);
  }
}
