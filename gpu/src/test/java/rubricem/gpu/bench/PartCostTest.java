package rubricem.gpu.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import rubricem.gpu.bench.StepParts.Part;
import rubricem.gpu.model.Precision;
import rubricem.gpu.weights.QwenShape;

class PartCostTest {
  private static final QwenShape SMALL = BenchShape.SMALL10M.shape();

  private static PartCost cost(Part part, int workers) {
    return PartCost.of(SMALL, Precision.FP32, part, workers);
  }

  @Test
  void sampling_reads_the_weights_once_a_step_and_worker_and_every_position_before() {
    // 127 steps after the prompts' pass; a step sees 33 to 159 positions
    double weights = 127.0 * 4 * (SMALL.parameters());
    double positions = 32.0 * (33 + 159) / 2 * 127 * (2 * 8 * 5 * 64) * 4;
    assertEquals(weights + positions, cost(Part.SAMPLE, 1).bytes());
    assertEquals(2 * weights + positions, cost(Part.SAMPLE, 2).bytes());
  }

  @Test
  void sixteen_bits_halve_the_weights_and_not_the_cache() {
    double saved =
        cost(Part.SAMPLE, 1).bytes()
            - PartCost.of(SMALL, Precision.BF16, Part.SAMPLE, 1).bytes();
    assertEquals(127.0 * 2 * SMALL.parameters(), saved);
  }

  @Test
  void a_forward_is_a_third_of_the_passes_and_counts_each_prompt_once() {
    assertEquals(cost(Part.PASSES, 1).flops(), 3 * cost(Part.REFERENCE, 1).flops(), 1);
    double inner = SMALL.parameters() - 4096.0 * 320;
    double products = 6 * (inner * (4 * 32 + 32 * 128) + 4096.0 * 320 * 32 * 128);
    assertTrue(cost(Part.PASSES, 1).flops() > products);
    assertTrue(cost(Part.PASSES, 1).flops() < 1.1 * products);
  }

  @Test
  void the_floor_is_the_slower_of_products_and_reading() {
    PartCost cost = new PartCost(200e9, 30e9);
    assertEquals(1.0, cost.floorSeconds(200, 60));
    assertEquals(2.0, cost.floorSeconds(200, 15));
    assertEquals(0.0, cost(Part.UPDATE, 2).floorSeconds(200, 15));
  }
}
