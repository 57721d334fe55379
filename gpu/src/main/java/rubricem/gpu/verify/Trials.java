package rubricem.gpu.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the same cases in several arithmetics, ours first, until one meets all of them; else the
 * closest is told. Nothing is put together from the best of each.
 */
final class Trials {
  /** All comparisons of some cases in one arithmetic. */
  interface Computation {
    List<Check> in(Numerics way) throws IOException;
  }

  private Trials() {}

  static void run(Places places, String stem, List<Numerics> ways, Computation computation)
      throws IOException {
    List<Check> best = List.of();
    List<String> tried = new ArrayList<>();
    for (Numerics way : ways) {
      places.check();
      List<Check> checks = computation.in(way).stream().map(way::mark).toList();
      tried.add(String.format("%.2e with %s", worst(checks), way));
      if (best.isEmpty() || beyond(checks) < beyond(best)) {
        best = checks;
      }
      if (best.stream().allMatch(Check::ok)) {
        break;
      }
    }
    if (tried.size() > 1) {
      places.notes().accept(stem + ": largest deviation " + String.join("; ", tried));
    }
    best.forEach(places.checks());
  }

  /** Of numbers; ids either agree or not. */
  private static double worst(List<Check> checks) {
    return checks.stream()
        .filter(c -> c.tolerance() > 0)
        .mapToDouble(Check::deviation)
        .max()
        .orElse(0);
  }

  /** How many tolerances the worst deviation is; what cannot be computed is beyond all. */
  private static double beyond(List<Check> checks) {
    return checks.stream()
        .mapToDouble(
            c ->
                c.ok()
                    ? 0
                    : Double.isNaN(c.deviation()) || c.tolerance() == 0
                        ? Double.MAX_VALUE
                        : c.deviation() / c.tolerance())
        .max()
        .orElse(Double.MAX_VALUE);
  }
}
