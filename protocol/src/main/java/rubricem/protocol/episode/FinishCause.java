package rubricem.protocol.episode;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Why an episode stopped exploring before its policy chose to. */
public enum FinishCause {
  /** Somebody asked for it. */
  REQUESTED(false, "somebody asked for it"),
  TOOL_CALLS(true, "the number of searches"),
  SECONDS(true, "the time limit"),
  TOKENS(true, "the token limit"),
  COST(true, "the cost limit"),
  TURNS(true, "the number of turns"),
  /** The policy kept asking for what it already has. */
  REPEATED_CALLS(true, "the same search asked again and again"),
  /** The policy broke the turn grammar twice in a row. */
  VIOLATIONS(true, "turns that could not be read"),
  /** The output limit cut the answer and its shorter second try. */
  OUTPUT_TOKENS(true, "the output limit");

  private final boolean limit;
  private final String words;

  FinishCause(boolean limit, String words) {
    this.limit = limit;
    this.words = words;
  }

  /** For people. */
  public String words() {
    return words;
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
