package rubricem.app.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import rubricem.gpu.bench.PartCost;
import rubricem.gpu.bench.StepParts;
import rubricem.gpu.bench.WholeStepBench;
import rubricem.gpu.device.MatmulRates;
import rubricem.gpu.model.Precision;

/**
 * The lines that say what limits a whole step: for each part its seconds, its rates, what share
 * they are of the machine's, and a floor, which is what products or reading alone would take.
 */
final class StepProfile {
  /** Where lines go. */
  interface Lines {
    void line(String metric, double value, String unit, Map<String, Object> params);
  }

  private final String shape;
  private final String dtype;
  private final double gflops;
  private final double gigabytes;
  private final Lines out;

  /**
   * @param gflops of products alone
   * @param gigabytes a second of reading alone
   */
  StepProfile(String shape, Precision precision, double gflops, double gigabytes, Lines out) {
    this.shape = shape;
    dtype = precision.name().toLowerCase(Locale.ROOT);
    this.gflops = gflops;
    this.gigabytes = gigabytes;
    this.out = out;
  }

  /** @param whole seconds of a step */
  void report(WholeStepBench bench, double whole) {
    Map<String, Object> step = params();
    out.line("matmul_gflops", gflops, "GFLOP/s", Map.of("n", MatmulRates.SIZE, "dtype", dtype));
    out.line("memory_read_gigabytes_per_second", gigabytes, "GB/s", Map.of());
    out.line("grpo_step_seconds", whole, "s", step);
    double floor = 0;
    for (StepParts.Part part : StepParts.Part.values()) {
      PartCost cost = bench.cost(part);
      floor += cost.floorSeconds(gflops, gigabytes);
      part(part, cost, bench.parts().median(part), whole);
    }
    out.line("grpo_step_floor_seconds", floor, "s", step);
    out.line("grpo_step_floor_tokens_per_second", WholeStepBench.TOKENS / floor, "1/s", step);
  }

  private void part(StepParts.Part part, PartCost cost, double seconds, double whole) {
    Map<String, Object> of = params();
    of.put("part", part.name().toLowerCase(Locale.ROOT));
    out.line("grpo_step_part_seconds", seconds, "s", of);
    out.line("grpo_step_part_share", seconds / whole, "1", of);
    if (cost.flops() > 0) {
      double rate = cost.flops() / seconds / 1e9;
      out.line("grpo_step_part_gflops", rate, "GFLOP/s", of);
      out.line("grpo_step_part_utilisation", rate / gflops, "1", of);
      out.line("grpo_step_part_floor_seconds", cost.floorSeconds(gflops, gigabytes), "s", of);
    }
    if (cost.bytes() > 0) {
      double rate = cost.bytes() / seconds / 1e9;
      out.line("grpo_step_part_gigabytes_per_second", rate, "GB/s", of);
      out.line("grpo_step_part_memory_utilisation", rate / gigabytes, "1", of);
    }
  }

  private Map<String, Object> params() {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("shape", shape);
    params.put("dtype", dtype);
    return params;
  }
}
