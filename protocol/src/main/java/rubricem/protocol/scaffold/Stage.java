package rubricem.protocol.scaffold;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The four stages of an episode, in their fixed outer order (paper §3.2). */
public enum Stage {
  PLAN,
  RESEARCH,
  REVIEW,
  ANSWER;

  /** The name on the wire and on disk, such as {@code plan} or {@code research}. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
