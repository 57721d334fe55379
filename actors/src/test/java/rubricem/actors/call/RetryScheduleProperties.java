package rubricem.actors.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.port.CallFailure;

class RetryScheduleProperties {
  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(5, ms(1_000), ms(30_000), ms(60_000));

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private static CallFailure failing(Optional<Duration> retryAfter) {
    return new CallFailure.Transient("overloaded", "busy", retryAfter);
  }

  private static Optional<Duration> delay(int attempt, Optional<Duration> asked) {
    return SCHEDULE.delay(CallId.parse("e1/3"), attempt, failing(asked));
  }

  @Property
  void a_wait_is_within_a_quarter_of_the_doubled_delay(
      @ForAll @IntRange(min = 1, max = 4) int attempt,
      @ForAll String episode,
      @ForAll int call) {
    long wait =
        SCHEDULE
            .delay(CallId.of(new EpisodeId(episode), call), attempt, failing(Optional.empty()))
            .orElseThrow()
            .toMillis();
    long doubled = Math.min(30_000, 1_000L << (attempt - 1));
    assertTrue(wait >= doubled * 3 / 4 && wait <= doubled * 5 / 4, wait + " ms");
  }

  @Property
  void the_same_call_waits_the_same_time(@ForAll @IntRange(min = 1, max = 9) int attempt) {
    assertEquals(delay(attempt, Optional.empty()), delay(attempt, Optional.empty()));
  }

  @Property
  void attempts_are_bounded_whatever_is_asked(
      @ForAll @IntRange(min = 5, max = 1_000_000) int attempt,
      @ForAll @LongRange(min = 0, max = 60_000) long asked) {
    assertEquals(Optional.empty(), delay(attempt, Optional.of(ms(asked))));
    assertEquals(Optional.empty(), delay(attempt, Optional.empty()));
  }

  @Property
  void no_attempt_number_overflows(@ForAll @IntRange(min = 1) int attempt) {
    RetrySchedule endless =
        new RetrySchedule(Integer.MAX_VALUE, ms(1_000), ms(30_000), ms(60_000));
    endless
        .delay(CallId.parse("e1/1"), attempt, failing(Optional.empty()))
        .ifPresent(wait -> assertTrue(wait.toMillis() >= 750 && wait.toMillis() <= 37_500));
  }

  @Example
  void what_a_service_asks_for_is_kept() {
    assertEquals(Optional.of(ms(7_000)), delay(1, Optional.of(ms(7_000))));
  }

  @Example
  void a_service_that_asks_for_less_than_we_wait_anyway_is_given_that() {
    assertEquals(Optional.of(ms(1_000)), delay(1, Optional.of(ms(10))));
    assertEquals(Optional.of(ms(1_000)), delay(1, Optional.of(ms(-10))));
  }

  @Example
  void a_service_that_asks_for_more_than_we_can_wait_is_given_up() {
    assertEquals(Optional.empty(), delay(1, Optional.of(ms(60_001))));
  }

  @Example
  void what_would_fail_again_is_not_tried_again() {
    assertEquals(
        Optional.empty(),
        SCHEDULE.delay(CallId.parse("e1/1"), 1, new CallFailure.Terminal("auth", "no")));
  }
}
