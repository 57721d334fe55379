package rubricem.app.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import rubricem.actors.episode.EpisodeDecider;
import rubricem.actors.episode.EpisodeSettings;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress;

/** Tells a person at a terminal what an episode is doing, a line for each step that matters. */
final class ProgressLines {
  private static final int SHOWN_COLUMNS = 72;

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private final Console console;
  private final EpisodeDecider decider;
  private EpisodeState state;
  private Instant start = Instant.EPOCH;
  private int generated;

  /** @param state what is stored of the episode before the first line */
  ProgressLines(Console console, EpisodeSettings settings, EpisodeState state) {
    this.console = console;
    this.decider = new EpisodeDecider(settings);
    this.state = state;
    this.start = state.started().map(EpisodeEvent::at).orElse(Instant.EPOCH);
  }

  void on(EpisodeProgress progress) {
    switch (progress) {
      case EpisodeProgress.EventStored stored -> event(stored.event());
      case EpisodeProgress.TextGenerated text -> {
        generated += text.delta().length();
        console.flicker("  writing … " + generated + " characters");
      }
      case EpisodeProgress.TurnRestarted restarted ->
          console.say("  the turn starts again: " + restarted.reason());
      case EpisodeProgress.Waiting waiting ->
          console.say("  trying again at " + CLOCK.format(waiting.until()));
      // told behind the events that lead into it; event() sees it in time
      case EpisodeProgress.StageEntered entered -> {}
      case EpisodeProgress.WatchEnded ended -> {}
    }
  }

  private void event(EpisodeEvent event) {
    if (event instanceof EpisodeEvent.EpisodeStarted) {
      start = event.at();
    }
    String line =
        switch (event) {
          case EpisodeEvent.EpisodeStarted e ->
              "searching " + e.corpus().documents() + " of "
                  + Words.count(e.corpus().documentsTotal(), "document");
          case EpisodeEvent.PolicyCallRequested e -> "";
          case EpisodeEvent.PolicyTurnGenerated e -> generated();
          case EpisodeEvent.PolicyCallFailed e -> policyFailed(e);
          case EpisodeEvent.TurnRejected e ->
              "turn not carried out: " + String.join(", ", e.violations());
          case EpisodeEvent.ViolationsTolerated e -> "";
          case EpisodeEvent.ToolCallRequested e ->
              e.call().tool() + " " + shortened(e.call().query());
          case EpisodeEvent.ToolCallCompleted e ->
              "  " + Words.count(e.shown().size(), "passage") + ", " + e.snippets().size()
                  + " new";
          case EpisodeEvent.ToolCallRefused e -> "  refused: " + e.reason();
          case EpisodeEvent.ToolCallFailed e -> "  failed: " + e.failure().message();
          case EpisodeEvent.ToolCallServed e -> "asked again, answered from the record";
          case EpisodeEvent.CallRetried e -> "trying again, attempt " + e.attempt();
          case EpisodeEvent.CallRepeated e -> "taken up again where it stopped";
          case EpisodeEvent.FinishBegun e ->
              "finishing from the evidence (" + e.cause().label() + ")";
          case EpisodeEvent.CitationCheckRequested e -> "checking the citations";
          case EpisodeEvent.CitationsChecked e -> "";
          case EpisodeEvent.EpisodeCompleted e -> e.outcome().label();
          case EpisodeEvent.EpisodeFailed e -> "failed (" + e.error() + ")";
          case EpisodeEvent.EpisodeCancelled e -> "cancelled";
          case EpisodeEvent.EpisodeResumed e -> "resumed with " + e.policy();
        };
    EpisodeState next = EpisodeFold.apply(state, event);
    if (next.stage() != state.stage()) {
      console.say("  " + next.stage().label());
    }
    if (!line.isBlank()) {
      console.say(String.format("%6.1f s  %s", seconds(event.at()), line));
    }
    state = next;
  }

  private String policyFailed(EpisodeEvent.PolicyCallFailed e) {
    String failed = "the policy failed (" + e.failure().kind() + "): " + e.failure().message();
    return e.attempt() == 1 && e.retryAt().isPresent()
        ? failed + "; it is tried again until about "
            + CLOCK.format(decider.triedUntil(state, e))
        : failed;
  }

  private String generated() {
    generated = 0;
    return "";
  }

  private double seconds(Instant at) {
    return Duration.between(start.equals(Instant.EPOCH) ? at : start, at).toMillis() / 1000.0;
  }

  private static String shortened(String text) {
    return "\"" + TerminalText.line(text, SHOWN_COLUMNS) + "\"";
  }
}
