package rubricem.protocol.report;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What is known of a claim and the passage it is cited by. */
public enum SupportState {
  /** Words, numbers, polarity and meaning of the claim are found in the passage. */
  SUPPORTED,
  /** Looked at, and not enough of the claim is found there. */
  WEAK,
  /** Not looked at; says nothing about the claim. */
  UNCHECKED;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
