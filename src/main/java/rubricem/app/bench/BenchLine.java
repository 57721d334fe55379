package rubricem.app.bench;

import java.util.Map;

/** One figure of a benchmark, as the contract prints it. */
public record BenchLine(
    String bench, String metric, double value, String unit, Map<String, Object> params) {}
