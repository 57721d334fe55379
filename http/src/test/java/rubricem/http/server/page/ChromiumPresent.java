package rubricem.http.server.page;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets tests of the page run where the machine has Chromium. Elsewhere one line says what was left
 * out; with {@code RUBRICEM_REQUIRE_BROWSER=1}, as in CI, they run anyway and fail.
 */
public final class ChromiumPresent implements ExecutionCondition {
  private static final List<String> USUAL =
      List.of(
          "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
          "/usr/local/bin/chromium", "/snap/bin/chromium",
          "/Applications/Chromium.app/Contents/MacOS/Chromium",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  private static final AtomicBoolean SAID = new AtomicBoolean();

  /** {@code RUBRICEM_CHROMIUM}, or the usual places. */
  static Optional<Path> path() {
    String named = System.getenv("RUBRICEM_CHROMIUM");
    List<String> candidates = named == null || named.isBlank() ? USUAL : List.of(named);
    return candidates.stream().map(Path::of).filter(Files::isExecutable).findFirst();
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (path().isPresent() || "1".equals(System.getenv("RUBRICEM_REQUIRE_BROWSER"))) {
      return ConditionEvaluationResult.enabled("Chromium is there, or has to be");
    }
    if (!SAID.getAndSet(true)) {
      System.err.println(
          "Left out: the tests of the web page in a browser. They need Chromium (Debian: apt-get"
              + " install chromium, or RUBRICEM_CHROMIUM=its path).");
    }
    return ConditionEvaluationResult.disabled("there is no Chromium on this machine");
  }
}
