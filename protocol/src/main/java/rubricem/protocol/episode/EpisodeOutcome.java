package rubricem.protocol.episode;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a completed episode came to. */
public enum EpisodeOutcome {
  ANSWERED,
  /** Nothing retrieved carries an answer; the report says so and cites nothing. */
  NO_EVIDENCE,
  /** Answered from what was there when a limit ended the research. */
  LIMIT_REACHED;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
