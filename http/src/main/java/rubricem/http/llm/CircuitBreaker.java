package rubricem.http.llm;

import java.time.Duration;
import java.time.Instant;

/**
 * Whether a server is worth a connection: closed while it answers, open for a while after several
 * connections in a row failed, then half open for one request that tries it. An immutable value;
 * time is a parameter and every step gives the next breaker.
 *
 * @param failures connections that failed in a row
 * @param openUntil {@link Instant#MIN} while closed
 * @param trialUntil until when the one trial may take; past it, another is let through
 */
public record CircuitBreaker(
    OpenAiSettings.Breaking limits, int failures, Instant openUntil, Instant trialUntil) {

  /** @param pause how long to leave the server alone; zero when admitted */
  public record Admission(boolean admitted, Duration pause, CircuitBreaker next) {}

  public static CircuitBreaker closed(OpenAiSettings.Breaking limits) {
    return new CircuitBreaker(limits, 0, Instant.MIN, Instant.MIN);
  }

  public boolean isClosed() {
    return openUntil.equals(Instant.MIN);
  }

  public Admission admit(Instant now) {
    if (isClosed()) {
      return new Admission(true, Duration.ZERO, this);
    }
    if (now.isBefore(openUntil)) {
      return new Admission(false, Duration.between(now, openUntil), this);
    }
    if (now.isBefore(trialUntil)) {
      return new Admission(false, Duration.between(now, trialUntil), this);
    }
    Instant until = now.plus(limits.openFor());
    return new Admission(
        true, Duration.ZERO, new CircuitBreaker(limits, failures, openUntil, until));
  }

  /** The server answered, whatever it said. */
  public CircuitBreaker onAnswer() {
    return closed(limits);
  }

  /** No connection, or one that broke. */
  public CircuitBreaker onBroken(Instant now) {
    int count = Math.min(failures + 1, limits.failures());
    return count < limits.failures()
        ? new CircuitBreaker(limits, count, Instant.MIN, Instant.MIN)
        : new CircuitBreaker(limits, count, now.plus(limits.openFor()), Instant.MIN);
  }
}
