package rubricem.app.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.scaffold.Stage;

/**
 * One line an event: number, time since the start, stage, kind, summary, tokens, cost. Keeps the
 * state, because stage and time follow from what came before.
 */
final class ReplayLines {
  private static final int KIND_COLUMNS = 24;
  private static final int SUMMARY_COLUMNS = 48;
  private static final String COLUMNS = "%5s  %9s  %-8s  %-" + KIND_COLUMNS + "s  ";

  private EpisodeState state = EpisodeState.EMPTY;

  static String heading() {
    return String.format(COLUMNS, "#", "time", "stage", "event")
        + TerminalText.padded("summary", SUMMARY_COLUMNS)
        + String.format("  %12s  %9s", "tokens", "cost");
  }

  String line(long sequence, EpisodeEvent event) {
    String head = head(sequence, event);
    String summary = TerminalText.line(EventSummary.of(event, tools()), SUMMARY_COLUMNS);
    String line =
        usage(event)
            .map(u -> head + TerminalText.padded(summary, SUMMARY_COLUMNS) + "  " + shown(u))
            .orElse(head + summary);
    return line.stripTrailing();
  }

  /** The first columns; takes the event in. */
  String head(long sequence, EpisodeEvent event) {
    EpisodeState before = state;
    state = EpisodeFold.apply(state, event);
    Duration since =
        state.started().map(s -> Duration.between(s.at(), event.at())).orElse(Duration.ZERO);
    return String.format(
        COLUMNS, sequence, seconds(since), stage(before, event).label(), event.kind());
  }

  private List<String> tools() {
    return state.started().map(EpisodeEvent.EpisodeStarted::tools).orElse(List.of());
  }

  EpisodeState state() {
    return state;
  }

  /** The stage of what the event tells of: of a turn the furthest it comes to. */
  private Stage stage(EpisodeState before, EpisodeEvent event) {
    if (!(event instanceof EpisodeEvent.PolicyTurnGenerated turn)) {
      return state.stage();
    }
    return Turns.answers(turn.text(), tools()) ? Stage.ANSWER : before.stage();
  }

  static Optional<TokenUsage> usage(EpisodeEvent event) {
    if (event instanceof EpisodeEvent.PolicyTurnGenerated turn) {
      return Optional.of(turn.usage());
    }
    return event instanceof EpisodeEvent.PolicyCallFailed failed
        ? failed.usage()
        : Optional.empty();
  }

  static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1000.0);
  }

  static String shown(TokenUsage usage) {
    return String.format(
        "%12s  %9s", usage.promptTokens() + "+" + usage.completionTokens(), cost(usage.costUsd()));
  }

  static String cost(double usd) {
    return usd == 0 ? "–" : String.format(Locale.ROOT, "$%.4f", usd);
  }
}
