package rubricem.gpu.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Where the seconds of a whole step went: for each part the median over the steps recorded. */
public final class StepParts {
  /** What a whole step consists of, in its order. */
  public enum Part {
    SAMPLE, REFERENCE, PASSES, UPDATE, PUBLISH
  }

  private final LongSupplier nanos;
  private final Map<Part, List<Double>> seconds = new EnumMap<>(Part.class);
  private long last;

  StepParts(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void begin() {
    last = nanos.getAsLong();
  }

  /** What went by since the part before ended belongs to this one. */
  void end(Part part) {
    add(part, lap());
  }

  /** Seconds since the part before ended. */
  double lap() {
    long now = nanos.getAsLong();
    double took = (now - last) / 1e9;
    last = now;
    return took;
  }

  void add(Part part, double took) {
    seconds.computeIfAbsent(part, p -> new ArrayList<>()).add(took);
  }

  void clear() {
    seconds.clear();
  }

  /** Seconds of a step spent in a part. */
  public double median(Part part) {
    double[] all =
        seconds.getOrDefault(part, List.of(0.0)).stream().mapToDouble(d -> d).toArray();
    Arrays.sort(all);
    return all[all.length / 2];
  }
}
