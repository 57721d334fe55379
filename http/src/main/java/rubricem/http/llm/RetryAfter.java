package rubricem.http.llm;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Function;

/** Reads how long a server asks us to wait: milliseconds, seconds or a date; never past a bound. */
final class RetryAfter {
  private RetryAfter() {}

  /** @param header the first value of a header, by its name */
  static Optional<Duration> read(
      Function<String, Optional<String>> header, Instant now, Duration longest) {
    return header.apply("retry-after-ms").flatMap(v -> number(v, 1, longest))
        .or(() -> header.apply("retry-after").flatMap(v -> number(v, 1_000, longest)))
        .or(() -> header.apply("retry-after").flatMap(v -> date(v, now, longest)));
  }

  private static Optional<Duration> number(String value, int unitMillis, Duration longest) {
    try {
      double millis = Double.parseDouble(value.strip()) * unitMillis;
      return Double.isFinite(millis)
          ? Optional.of(
              Duration.ofMillis((long) Math.min(Math.max(0, millis), longest.toMillis())))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> date(String value, Instant now, Duration longest) {
    try {
      Instant until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip(), Instant::from);
      Duration wait = Duration.between(now, until);
      return Optional.of(
          wait.isNegative() ? Duration.ZERO : wait.compareTo(longest) > 0 ? longest : wait);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
