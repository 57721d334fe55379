package rubricem.protocol.episode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.CborSerializable;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.scaffold.ToolCall;

/**
 * What happened in an episode, in order. A call is an event before it is made and an event when its
 * result is there, so that after a crash exactly the pending call is repeated. Records are only
 * ever extended with optional components; {@code golden/} holds one of each version.
 */
public sealed interface EpisodeEvent extends CborSerializable {
  Instant at();

  /**
   * @param systemPrompt and {@code formatInstruction}: the exact texts the policy is shown
   * @param tools the names the policy may call
   * @param corpus what was searchable when the episode began
   */
  record EpisodeStarted(
      Instant at,
      EpisodeId id,
      EpisodeRequest request,
      PromptRef systemPrompt,
      PromptRef formatInstruction,
      List<String> tools,
      Searched corpus)
      implements EpisodeEvent {}

  /**
   * @param prompt hash of the system prompt used for this very turn
   * @param leftOut ids of snippets whose text no longer fits the prompt
   */
  record PolicyCallRequested(
      Instant at, CallId callId, int attempt, String prompt, List<String> leftOut)
      implements EpisodeEvent {}

  record PolicyTurnGenerated(
      Instant at,
      CallId callId,
      String text,
      Optional<String> thinking,
      FinishReason finish,
      TokenUsage usage,
      String modelVersion)
      implements EpisodeEvent {}

  /**
   * @param retryAt when it will be tried again; empty: given up
   * @param usage what the attempt cost, where the service said so
   */
  record PolicyCallFailed(
      Instant at,
      CallId callId,
      int attempt,
      CallFailure failure,
      Optional<Instant> retryAt,
      Optional<TokenUsage> usage)
      implements EpisodeEvent {
    public PolicyCallFailed(
        Instant at, CallId callId, int attempt, CallFailure failure, Optional<Instant> retryAt) {
      this(at, callId, attempt, failure, retryAt, Optional.empty());
    }
  }

  /** A turn that cannot be carried out. @param notice what the policy is told instead */
  record TurnRejected(Instant at, CallId callId, List<String> violations, String notice)
      implements EpisodeEvent {}

  /** Departures that did not keep the turn from being carried out. */
  record ViolationsTolerated(Instant at, CallId callId, List<String> violations)
      implements EpisodeEvent {}

  record ToolCallRequested(Instant at, CallId callId, ToolCall call) implements EpisodeEvent {}

  /**
   * @param snippets passages this episode had not seen, with the ids given to them
   * @param shown ids of all passages found, best first, older ones included
   * @param suspicions {@code S_3: fake_tag}-like flags of passages that try to give orders
   */
  record ToolCallCompleted(
      Instant at,
      CallId callId,
      List<Snippet> snippets,
      List<String> shown,
      Searched searched,
      List<String> notes,
      List<String> suspicions)
      implements EpisodeEvent {}

  /** The call was wrong; {@code reason} is told to the policy. */
  record ToolCallRefused(Instant at, CallId callId, String reason) implements EpisodeEvent {}

  record ToolCallFailed(
      Instant at, CallId callId, int attempt, CallFailure failure, Optional<Instant> retryAt)
      implements EpisodeEvent {}

  /** The policy asked again for what it has. @param times how often now, the first included */
  record ToolCallServed(Instant at, CallId callId, CallId from, ToolCall call, int times)
      implements EpisodeEvent {}

  /** A waiting call is due again. */
  record CallRetried(Instant at, CallId callId, int attempt) implements EpisodeEvent {}

  /** A call that was in flight when the process died is made again with the same id. */
  record CallRepeated(Instant at, CallId callId) implements EpisodeEvent {}

  /** Exploration ends; the policy gets its last turn. */
  record FinishBegun(Instant at, FinishCause cause) implements EpisodeEvent {}

  record CitationCheckRequested(Instant at, CallId callId) implements EpisodeEvent {}

  record CitationsChecked(Instant at, CallId callId, List<ClaimVerdict> verdicts)
      implements EpisodeEvent {}

  record EpisodeCompleted(Instant at, EpisodeOutcome outcome) implements EpisodeEvent {}

  /**
   * @param error a short stable word for what failed
   * @param finalising all research was done; a resumed episode only writes again
   */
  record EpisodeFailed(Instant at, String error, String message, boolean finalising)
      implements EpisodeEvent {}

  record EpisodeCancelled(Instant at) implements EpisodeEvent {}

  /** A failed episode goes on from its evidence. @param policy the policy it goes on with */
  record EpisodeResumed(Instant at, String policy) implements EpisodeEvent {}

  /** What replay and metrics call an event: its record's name in snake case. */
  default String kind() {
    return Kinds.of(getClass());
  }

  /** Names of the kinds; computed once, they appear on every line of a replay. */
  final class Kinds {
    private static final ClassValue<String> NAMES =
        new ClassValue<>() {
          @Override
          protected String computeValue(Class<?> type) {
            return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(
                java.util.Locale.ROOT);
          }
        };

    private Kinds() {}

    public static String of(Class<?> type) {
      return NAMES.get(type);
    }
  }
}
