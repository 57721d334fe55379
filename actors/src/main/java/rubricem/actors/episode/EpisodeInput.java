package rubricem.actors.episode;

import java.util.List;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.report.ClaimVerdict;

/** Everything that can reach an episode from outside, as the decider sees it. */
public sealed interface EpisodeInput {
  /** The call whose result this is. */
  default Optional<CallId> answers() {
    return Optional.empty();
  }

  record Start(
      EpisodeId id,
      EpisodeRequest request,
      PromptRef systemPrompt,
      PromptRef formatInstruction,
      List<String> tools,
      Searched corpus)
      implements EpisodeInput {}

  record PolicyFinished(CallId callId, PolicyOutcome outcome) implements EpisodeInput {
    @Override
    public Optional<CallId> answers() {
      return Optional.of(callId);
    }
  }

  record ToolFinished(CallId callId, ToolOutcome outcome) implements EpisodeInput {
    @Override
    public Optional<CallId> answers() {
      return Optional.of(callId);
    }
  }

  record CitationsScored(CallId callId, List<ClaimVerdict> verdicts) implements EpisodeInput {
    @Override
    public Optional<CallId> answers() {
      return Optional.of(callId);
    }
  }

  /** A waiting call may be due. */
  record RetryDue(CallId callId) implements EpisodeInput {}

  /** The process has started again with this episode in the middle of something. */
  enum Recovered implements EpisodeInput {
    INPUT
  }

  /** A time limit may have passed. */
  enum TimePassed implements EpisodeInput {
    INPUT
  }

  enum Finish implements EpisodeInput {
    INPUT
  }

  enum Cancel implements EpisodeInput {
    INPUT
  }

  record Resume(String policy) implements EpisodeInput {}
}
