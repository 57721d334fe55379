package rubricem.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one episode. Sorts by the time of its creation; unguessable in its second half. */
public record EpisodeId(@JsonValue String value) {
  @JsonCreator
  public EpisodeId {}

  @Override
  public String toString() {
    return value;
  }
}
