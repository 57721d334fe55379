package rubricem.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Names one call of a model, a tool or a check. It follows from the episode and the number of the
 * call alone, so that a call repeated after a crash carries the same id: the idempotency key.
 */
public record CallId(EpisodeId episode, int number) {

  /** The id of the {@code number}-th call of an episode, counted from 1. */
  public static CallId of(EpisodeId episode, int number) {
    return new CallId(episode, number);
  }

  /** Reads {@code EPISODE/NUMBER}. */
  @JsonCreator
  public static CallId parse(String value) {
    int slash = value.lastIndexOf('/');
    try {
      return new CallId(
          new EpisodeId(value.substring(0, Math.max(0, slash))),
          Integer.parseInt(value.substring(slash + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a call id: " + value, e);
    }
  }

  /** {@code EPISODE/NUMBER}, as it is stored and sent. */
  @JsonValue
  public String value() {
    return episode.value() + "/" + number;
  }

  @Override
  public String toString() {
    return value();
  }
}
