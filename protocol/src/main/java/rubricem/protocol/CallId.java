package rubricem.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Names one call of a model, a tool or a check. It follows from the episode and the number of the
 * call alone, so that a call repeated after a crash carries the same id: the idempotency key.
 */
public record CallId(@JsonValue String value) {
  @JsonCreator
  public CallId {}

  /** The id of the {@code number}-th call of an episode, counted from 1. */
  public static CallId of(EpisodeId episode, int number) {
    return new CallId(episode.value() + "/" + number);
  }

  @Override
  public String toString() {
    return value;
  }
}
