package rubricem.protocol.run;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a training run, which is also the name of its folder. It is one plain part of a path
 * that begins with a letter or a digit, so it can lead nowhere but into the folder of the runs.
 */
public record RunName(@JsonValue String value) {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  public RunName {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "a run's name has 1 to 100 letters, digits, dots, dashes and underscores");
    }
  }

  /** Empty where the text can be no run's name. */
  public static Optional<RunName> parse(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new RunName(text)) : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}
