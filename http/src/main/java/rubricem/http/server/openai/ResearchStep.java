package rubricem.http.server.openai;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;

/** What a reader of a stream is shown of the research: thoughts and searches, from the events. */
sealed interface ResearchStep {
  record Thought(String text) implements ResearchStep {}

  /** @param web whether it leaves the documents */
  record SearchBegun(CallId callId, String query, boolean web) implements ResearchStep {}

  /** @param found passages; empty where the search failed */
  record SearchEnded(CallId callId, Optional<Integer> found) implements ResearchStep {}

  /** The name of the tool that searches the documents. */
  String DOCUMENTS = "local_search";

  Pattern THINKING = Pattern.compile("<think>(.*?)</think>", Pattern.DOTALL);

  static Optional<ResearchStep> of(EpisodeEvent event) {
    return switch (event) {
      case EpisodeEvent.PolicyTurnGenerated turn ->
          turn.thinking().or(() -> thinking(turn.text())).map(String::strip)
              .filter(text -> !text.isEmpty()).map(Thought::new);
      case EpisodeEvent.ToolCallRequested call ->
          Optional.of(
              new SearchBegun(
                  call.callId(), call.call().query(), !call.call().tool().equals(DOCUMENTS)));
      case EpisodeEvent.ToolCallCompleted done ->
          Optional.of(new SearchEnded(done.callId(), Optional.of(done.shown().size())));
      case EpisodeEvent.ToolCallRefused refused ->
          Optional.of(new SearchEnded(refused.callId(), Optional.empty()));
      case EpisodeEvent.ToolCallFailed failed ->
          failed.retryAt().isPresent()
              ? Optional.empty()
              : Optional.of(new SearchEnded(failed.callId(), Optional.empty()));
      case EpisodeEvent.EpisodeStarted e -> Optional.empty();
      case EpisodeEvent.PolicyCallRequested e -> Optional.empty();
      case EpisodeEvent.PolicyCallFailed e -> Optional.empty();
      case EpisodeEvent.TurnRejected e -> Optional.empty();
      case EpisodeEvent.ViolationsTolerated e -> Optional.empty();
      case EpisodeEvent.ToolCallServed e -> Optional.empty();
      case EpisodeEvent.CallRetried e -> Optional.empty();
      case EpisodeEvent.CallRepeated e -> Optional.empty();
      case EpisodeEvent.FinishBegun e -> Optional.empty();
      case EpisodeEvent.CitationCheckRequested e -> Optional.empty();
      case EpisodeEvent.CitationsChecked e -> Optional.empty();
      case EpisodeEvent.EpisodeCompleted e -> Optional.empty();
      case EpisodeEvent.EpisodeFailed e -> Optional.empty();
      case EpisodeEvent.EpisodeCancelled e -> Optional.empty();
      case EpisodeEvent.EpisodeResumed e -> Optional.empty();
    };
  }

  private static Optional<String> thinking(String turn) {
    Matcher found = THINKING.matcher(turn);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }
}
