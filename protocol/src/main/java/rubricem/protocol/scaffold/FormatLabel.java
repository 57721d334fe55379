package rubricem.protocol.scaffold;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;

/** The shape an answer is asked for (paper §B.1.6, §B.2.1). */
public enum FormatLabel {
  /** Only {@code \boxed{…}}. */
  EXACT_ANSWER,
  /** One cohesive paragraph with citations. */
  SHORT_FORM,
  /** Markdown in sections, every claim that is not trivial cited. */
  LONG_FORM;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @JsonCreator
  static FormatLabel read(String label) {
    return parse(label).orElseThrow(() -> new IllegalArgumentException("unknown format " + label));
  }

  public static Optional<FormatLabel> parse(String label) {
    for (FormatLabel format : values()) {
      if (format.label().equals(label)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }
}
