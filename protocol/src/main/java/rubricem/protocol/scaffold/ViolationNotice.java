package rubricem.protocol.scaffold;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The words a policy is told when its turn could not be carried out: the blocking violations first,
 * then the tolerated ones, each advice once. Plain text without markup; {@link
 * ToolOutputText#printError} escapes and wraps it.
 */
public final class ViolationNotice {
  /** More advice than this is not read; the first are the ones that matter. */
  static final int ADVICE_MAX = 6;

  private ViolationNotice() {}

  public static String text(List<ScaffoldViolation> violations) {
    Set<String> advice = new LinkedHashSet<>();
    violations.stream().filter(ScaffoldViolation::blocking).forEach(v -> advice.add(v.advice()));
    violations.stream().filter(v -> !v.blocking()).forEach(v -> advice.add(v.advice()));
    List<String> lines = advice.stream().limit(ADVICE_MAX).map(line -> "- " + line).toList();
    return "Your last turn was not carried out.\n" + String.join("\n", lines);
  }
}
