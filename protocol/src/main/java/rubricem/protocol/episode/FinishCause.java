package rubricem.protocol.episode;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Why an episode stopped exploring before its policy chose to. */
public enum FinishCause {
  /** Somebody asked for it. */
  REQUESTED(false),
  TOOL_CALLS(true),
  SECONDS(true),
  TOKENS(true),
  COST(true),
  TURNS(true),
  /** The policy kept asking for what it already has. */
  REPEATED_CALLS(true),
  /** The policy broke the turn grammar twice in a row. */
  VIOLATIONS(true),
  /** The output limit cut the answer and its shorter second try. */
  OUTPUT_TOKENS(true);

  private final boolean limit;

  FinishCause(boolean limit) {
    this.limit = limit;
  }

  /** Whether the outcome is {@code limit_reached}. */
  public boolean limit() {
    return limit;
  }

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
