package rubricem.actors.policy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.TokenUsage;

/**
 * Plays turns from a list, for tests and demonstrations. An episode takes, in order, the lines
 * whose pattern is found in its question: one a generation, failed and abandoned ones included, so
 * that a call repeated after a crash gets the same line. After the last line it answers nothing.
 */
public final class ScriptedPolicy implements PolicyModel {
  /** About four characters a token, where nobody counts. */
  private static final int CHARS_PER_TOKEN = 4;

  /** One line: a turn to play or a failure in its place. */
  public sealed interface Line {
    Optional<Pattern> match();

    record Play(String text, Duration delay, Optional<Pattern> match) implements Line {}

    record Fail(String kind, Duration delay, Optional<Pattern> match) implements Line {}
  }

  private final String spec;
  private final List<Line> lines;

  public ScriptedPolicy(String spec, List<Line> lines) {
    this.spec = spec;
    this.lines = List.copyOf(lines);
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public CompletionStage<PolicyOutcome> generate(PolicyRequest request, GenerationWatcher watcher) {
    Optional<Line> line = line(request);
    Duration delay = line.map(ScriptedPolicy::delay).orElse(Duration.ZERO);
    if (delay.isZero()) {
      return CompletableFuture.completedStage(play(request, line, watcher));
    }
    Executor later =
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
    return CompletableFuture.supplyAsync(() -> play(request, line, watcher), later);
  }

  private static Duration delay(Line line) {
    return switch (line) {
      case Line.Play play -> play.delay();
      case Line.Fail fail -> fail.delay();
    };
  }

  /** One line a generation: those before this one have had theirs. */
  private Optional<Line> line(PolicyRequest request) {
    return lines.stream()
        .filter(l -> l.match().map(p -> p.matcher(request.question()).find()).orElse(true))
        .skip(request.earlier())
        .findFirst();
  }

  private PolicyOutcome play(
      PolicyRequest request, Optional<Line> line, GenerationWatcher watcher) {
    if (line.isPresent() && line.get() instanceof Line.Fail fail) {
      return new PolicyOutcome.Failed(
          fail.kind().equals("terminal")
              ? new CallFailure.Terminal(fail.kind(), "the script says so")
              : new CallFailure.Transient(fail.kind(), "the script says so", Optional.empty()));
    }
    String text = line.isPresent() ? ((Line.Play) line.get()).text() : "";
    watcher.onText(text);
    long prompt =
        request.messages().stream().mapToLong(m -> m.text().length()).sum() / CHARS_PER_TOKEN;
    return new PolicyOutcome.Generated(
        text, Optional.empty(), FinishReason.STOP,
        new TokenUsage(prompt, text.length() / CHARS_PER_TOKEN, 0), "scripted");
  }
}
