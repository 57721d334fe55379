package rubricem.actors.episode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.FinishCause;

/** The events of one decision, and the state they have led to so far. */
final class Steps {
  /** A prompt the service finds too long is halved twice; a third time is a failure. */
  static final int SHRINKS_MAX = 2;

  private final EpisodeSettings settings;
  private final Instant now;
  private final List<EpisodeEvent> events = new ArrayList<>();
  private EpisodeState state;

  Steps(EpisodeSettings settings, EpisodeState state, Instant now) {
    this.settings = settings;
    this.state = state;
    this.now = now;
  }

  Instant now() {
    return now;
  }

  EpisodeState state() {
    return state;
  }

  List<EpisodeEvent> events() {
    return List.copyOf(events);
  }

  void add(EpisodeEvent event) {
    events.add(event);
    state = EpisodeFold.apply(state, event);
  }

  CallId nextCall() {
    return CallId.of(state.id(), state.calls() + 1);
  }

  void fail(String kind, String message, boolean finalising) {
    add(new EpisodeEvent.EpisodeFailed(now, kind, message, finalising));
  }

  /** Asks for the next turn, or for the last one where a limit has been reached. */
  void askPolicy() {
    if (state.finish().isEmpty()) {
      limitReached().ifPresent(cause -> add(new EpisodeEvent.FinishBegun(now, cause)));
    }
    if (state.finish().isPresent() && isLastTryMade()) {
      fail(
          "no_answer",
          "the policy did not write an answer that can be read, though asked "
              + (state.finalTurns() == 1 ? "once" : state.finalTurns() + " times")
              + (isLate() ? ", and the time limit has passed" : "")
              + "; the evidence is kept: resume the episode, with another policy if need be",
          true);
      return;
    }
    add(
        new EpisodeEvent.PolicyCallRequested(
            now, nextCall(), 1, state.start().systemPrompt().sha256(),
            PromptAssembly.leftOut(state, settings)));
  }

  /** After the limit one try to answer is all: what comes of a second one is hardly worth it. */
  private boolean isLastTryMade() {
    return state.finalTurns() >= settings.finalTurnsMax() || state.finalTurns() > 0 && isLate();
  }

  /** Whether the time limit itself has passed, not only the time to explore. */
  boolean isLate() {
    return !now.isBefore(EpisodeDecider.Deadlines.of(state, settings).limit());
  }

  private Optional<FinishCause> limitReached() {
    EpisodeLimits limits = state.request().limits();
    long tokens = state.usage().tokens();
    double cost = state.usage().costUsd();
    if (!now.isBefore(EpisodeDecider.Deadlines.of(state, settings).explore())) {
      return Optional.of(FinishCause.SECONDS);
    }
    // the last turn costs about what the one before cost: it must fit below the limit too
    if (limits.tokens() > 0 && tokens > 0 && tokens + state.lastCallTokens() >= limits.tokens()) {
      return Optional.of(FinishCause.TOKENS);
    }
    if (limits.costUsd() > 0 && cost > 0 && cost + state.lastCallCost() >= limits.costUsd()) {
      return Optional.of(FinishCause.COST);
    }
    if (state.toolCallsLeft() == 0) {
      return Optional.of(FinishCause.TOOL_CALLS);
    }
    long turns = state.turns().size() - state.turnsForgiven();
    if (turns >= (long) limits.toolCalls() + settings.turnsBeyondToolCalls()) {
      return Optional.of(FinishCause.TURNS);
    }
    return Optional.empty();
  }
}
