package rubricem.protocol.episode;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Where an episode is in its life. */
public enum EpisodeStatus {
  QUEUED,
  RUNNING,
  COMPLETED,
  FAILED,
  CANCELLED;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean ended() {
    return this == COMPLETED || this == FAILED || this == CANCELLED;
  }
}
