package rubricem.actors.episode;

import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.EpisodeTexts;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.CitationBinding;
import rubricem.protocol.scaffold.BoxedAnswer;
import rubricem.protocol.scaffold.FormatLabel;

/** What an answered episode came to. */
final class Outcomes {
  private Outcomes() {}

  static void complete(Steps steps) {
    EpisodeState state = steps.state();
    if (state.evidence().isEmpty() && !state.foundSomething() && state.usage().toolCalls() > 0) {
      steps.fail(
          "search_failed",
          "no search of this episode came back with a result, so nothing can be said about what"
              + " exists; resume it when the search works again",
          false);
      return;
    }
    if (cutOff(state) && !state.foundSomething() && !grounded(state)) {
      steps.fail(
          "nothing_searched",
          "the episode was ended (" + state.finish().get().words() + ") before any search came"
              + " back, so nothing can be said about what exists; resume it with more room, or ask"
              + " again",
          false);
      return;
    }
    steps.add(new EpisodeEvent.EpisodeCompleted(steps.now(), of(state)));
  }

  /** Ended from outside, when the policy might still have searched. */
  private static boolean cutOff(EpisodeState state) {
    return state.finish()
        .map(
            cause ->
                switch (cause) {
                  case REQUESTED, SECONDS, TOKENS, COST -> true;
                  case TOOL_CALLS, TURNS, REPEATED_CALLS, VIOLATIONS, OUTPUT_TOKENS -> false;
                })
        .orElse(false);
  }

  private static EpisodeOutcome of(EpisodeState state) {
    if (!grounded(state)) {
      return EpisodeOutcome.NO_EVIDENCE;
    }
    return state.finish().filter(FinishCause::limit).isPresent()
        ? EpisodeOutcome.LIMIT_REACHED
        : EpisodeOutcome.ANSWERED;
  }

  /** Whether something retrieved stands behind the answer. */
  private static boolean grounded(EpisodeState state) {
    String answer = EpisodeTexts.answer(state).orElse("");
    BoundAnswer bound = CitationBinding.bind(answer, state.evidence());
    if (bound.citations() > 0) {
      return true;
    }
    // an exact answer has no room for cites: it counts where it was looked for and is not blank
    return state.request().format() == FormatLabel.EXACT_ANSWER
        && !state.evidence().isEmpty()
        && BoxedAnswer.extract(answer).filter(box -> !box.isBlank()).isPresent();
  }
}
