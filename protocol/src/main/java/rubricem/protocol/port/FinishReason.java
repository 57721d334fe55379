package rubricem.protocol.port;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Why a generation ended. */
public enum FinishReason {
  /** The policy closed its action. */
  STOP,
  /** The output limit cut it. */
  LENGTH,
  /** The service withheld the rest. */
  FILTERED;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
