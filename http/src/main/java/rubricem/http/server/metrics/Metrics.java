package rubricem.http.server.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Counts what happens and writes it in the text format of Prometheus, each metric with a help text.
 * Labels must come from sets that are small and ours (routes, statuses, outcomes), never from what
 * somebody sends: that is what bounds it.
 */
public final class Metrics {
  /** Upper bounds in milliseconds: from a cheap look-up to the patience of a request. */
  private static final long[] BUCKETS = {1, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 25_000};

  private record Family(String type, String help, Map<String, Object> series) {}

  private static final class Histogram {
    final AtomicLongArray counts = new AtomicLongArray(BUCKETS.length + 1);
    final LongAdder nanos = new LongAdder();
  }

  private final Map<String, Family> families = new ConcurrentSkipListMap<>();

  /** @param labels name, value, name, value, … */
  public void add(String name, String help, long amount, String... labels) {
    ((LongAdder) series(name, "counter", help, labels, LongAdder::new)).add(amount);
  }

  public void gauge(String name, String help, IntSupplier value, String... labels) {
    gaugeOf(name, help, () -> value.getAsInt(), labels);
  }

  /** A value that is asked for whenever somebody reads the metrics. */
  public void gaugeOf(String name, String help, LongSupplier value, String... labels) {
    family(name, "gauge", help).series().put(labels(labels), value);
  }

  public void observe(String name, String help, Duration took, String... labels) {
    Histogram h = (Histogram) series(name, "histogram", help, labels, Histogram::new);
    long millis = took.toMillis();
    int bucket = Arrays.binarySearch(BUCKETS, millis);
    h.counts.incrementAndGet(bucket < 0 ? -bucket - 1 : bucket);
    h.nanos.add(took.toNanos());
  }

  private Object series(
      String name, String type, String help, String[] labels,
      java.util.function.Supplier<Object> make) {
    return family(name, type, help).series().computeIfAbsent(labels(labels), l -> make.get());
  }

  private Family family(String name, String type, String help) {
    return families.computeIfAbsent(
        name, n -> new Family(type, help, new ConcurrentSkipListMap<>()));
  }

  private static String labels(String[] labels) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < labels.length; i += 2) {
      out.append(out.isEmpty() ? "" : ",").append(labels[i]).append("=\"")
          .append(labels[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
          .append('"');
    }
    return out.toString();
  }

  public String text() {
    StringBuilder out = new StringBuilder();
    for (Map.Entry<String, Family> entry : new TreeMap<>(families).entrySet()) {
      Family family = entry.getValue();
      out.append("# HELP ").append(entry.getKey()).append(' ').append(family.help()).append('\n')
          .append("# TYPE ").append(entry.getKey()).append(' ').append(family.type())
          .append('\n');
      family.series().forEach((labels, value) -> write(out, entry.getKey(), labels, value));
    }
    return out.toString();
  }

  private static void write(StringBuilder out, String name, String labels, Object value) {
    if (value instanceof Histogram h) {
      long sum = 0;
      for (int i = 0; i <= BUCKETS.length; i++) {
        sum += h.counts.get(i);
        String bound = i == BUCKETS.length ? "+Inf" : "" + BUCKETS[i] / 1e3;
        line(out, name + "_bucket", join(labels, "le=\"" + bound + "\""), "" + sum);
      }
      line(out, name + "_sum", labels, "" + h.nanos.sum() / 1e9);
      line(out, name + "_count", labels, "" + sum);
    } else if (value instanceof LongAdder counter) {
      line(out, name, labels, "" + counter.sum());
    } else {
      read((LongSupplier) value).ifPresent(number -> line(out, name, labels, "" + number));
    }
  }

  /** What cannot be read now has no line; the others stay to be seen, now above all. */
  private static OptionalLong read(LongSupplier gauge) {
    try {
      return OptionalLong.of(gauge.getAsLong());
    } catch (RuntimeException e) {
      return OptionalLong.empty();
    }
  }

  private static String join(String labels, String more) {
    return labels.isEmpty() ? more : labels + "," + more;
  }

  private static void line(StringBuilder out, String name, String labels, String value) {
    out.append(name);
    if (!labels.isEmpty()) {
      out.append('{').append(labels).append('}');
    }
    out.append(' ').append(value).append('\n');
  }
}
