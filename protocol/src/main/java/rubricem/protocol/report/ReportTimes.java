package rubricem.protocol.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times in a report: written the same in every language and zone. */
final class ReportTimes {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Below so many seconds tenths tell something. */
  private static final int TENTHS_BELOW = 10;

  private ReportTimes() {}

  static String minute(Instant time) {
    return MINUTE.format(time);
  }

  static String length(Instant from, Instant to) {
    Duration length = Duration.between(from, to);
    return length.toMinutes() > 0
        ? length.toMinutes() + " min " + length.toSecondsPart() + " s"
        : length.toSeconds() >= TENTHS_BELOW
            ? length.toSeconds() + " s"
            : length.toSeconds() + "." + length.toMillisPart() / 100 + " s";
  }
}
