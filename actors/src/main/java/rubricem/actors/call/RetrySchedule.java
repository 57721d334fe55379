package rubricem.actors.call;

import java.time.Duration;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.port.CallFailure;

/**
 * When a failed call is made again. The one owner of retries: clients make none. Delays double from
 * {@code first} to {@code longest}; what a service asks for is kept, up to {@code askedMax}. The
 * spread over callers follows from the call id, so that a replay decides the same.
 *
 * @param attemptsMax attempts in all, the first included
 */
public record RetrySchedule(int attemptsMax, Duration first, Duration longest, Duration askedMax) {

  /** The wait before the next attempt, in whole milliseconds; empty: give up. */
  public Optional<Duration> delay(CallId call, int attempt, CallFailure failure) {
    return exact(call, attempt, failure).map(wait -> Duration.ofMillis(wait.toMillis()));
  }

  /** How long the attempts still to come will take, apart from the calls themselves. */
  public Duration remaining(CallId call, int attempt, CallFailure failure) {
    Duration all = Duration.ZERO;
    Optional<Duration> next = delay(call, attempt, failure);
    for (int i = attempt; next.isPresent(); next = delay(call, i, failure)) {
      all = all.plus(next.get());
      i++;
    }
    return all;
  }

  private Optional<Duration> exact(CallId call, int attempt, CallFailure failure) {
    return switch (failure) {
      case CallFailure.Terminal terminal -> Optional.empty();
      case CallFailure.Transient t when attempt >= attemptsMax -> Optional.empty();
      case CallFailure.Transient t when t.retryAfter().isPresent() ->
          t.retryAfter().filter(asked -> asked.compareTo(askedMax) <= 0).map(this::atLeastFirst);
      case CallFailure.Transient t -> Optional.of(spread(call, doubled(attempt)));
    };
  }

  private Duration atLeastFirst(Duration asked) {
    return asked.compareTo(first) < 0 ? first : asked;
  }

  private Duration doubled(int attempt) {
    Duration delay = first.multipliedBy(1L << Math.min(attempt - 1, 20));
    return delay.compareTo(longest) > 0 ? longest : delay;
  }

  /** Between 75 % and 125 % of the delay, by call. */
  private static Duration spread(CallId call, Duration delay) {
    int share = 75 + Math.floorMod(call.value().hashCode(), 51);
    return delay.multipliedBy(share).dividedBy(100);
  }
}
