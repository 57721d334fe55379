package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** However requests come, a dead server is asked once a period. */
class CircuitBreakerProperties {
  @Property
  void never_admits_more_than_one_trial_per_period(
      @ForAll List<@IntRange(min = 0, max = 3_000) Integer> stepsMillis) {
    CircuitBreaker breaker = CircuitBreakerTest.opened();
    Instant now = CircuitBreakerTest.T0;
    int admitted = 0;
    for (int step : stepsMillis) {
      now = now.plusMillis(step);
      CircuitBreaker.Admission admission = breaker.admit(now);
      breaker = admission.next();
      admitted += admission.admitted() ? 1 : 0;
    }
    assertTrue(admitted <= Duration.between(CircuitBreakerTest.T0, now).toSeconds() / 10);
  }
}
