package rubricem.app.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.report.SupportState;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.TurnAction;

/** What an event says, in one phrase; not yet cut or made safe for a terminal. */
final class EventSummary {
  private static final int HASH_CHARS = 8;

  private EventSummary() {}

  /** @param tools the names the policy may call */
  static String of(EpisodeEvent event, Collection<String> tools) {
    return switch (event) {
      case EpisodeEvent.EpisodeStarted e -> started(e);
      case EpisodeEvent.PolicyCallRequested e ->
          "call " + number(e.callId().value()) + attempt(e.attempt()) + ", prompt "
              + e.prompt().substring(0, Math.min(HASH_CHARS, e.prompt().length()))
              + (e.leftOut().isEmpty()
                  ? ""
                  : ", " + counted(e.leftOut().size(), "passage") + " left out");
      case EpisodeEvent.PolicyTurnGenerated e -> turn(e, tools);
      case EpisodeEvent.PolicyCallFailed e -> failed(e.failure(), e.at(), e.retryAt());
      case EpisodeEvent.TurnRejected e -> "not carried out: " + String.join(", ", e.violations());
      case EpisodeEvent.ViolationsTolerated e -> String.join(", ", e.violations());
      case EpisodeEvent.ToolCallRequested e -> call(e.call());
      case EpisodeEvent.ToolCallCompleted e -> found(e);
      case EpisodeEvent.ToolCallRefused e -> e.reason();
      case EpisodeEvent.ToolCallFailed e -> failed(e.failure(), e.at(), e.retryAt());
      case EpisodeEvent.ToolCallServed e ->
          "asked " + e.times() + " times: " + call(e.call()) + " is call "
              + number(e.from().value());
      case EpisodeEvent.CallRetried e ->
          "call " + number(e.callId().value()) + attempt(e.attempt());
      case EpisodeEvent.CallRepeated e ->
          "call " + number(e.callId().value()) + " was in flight when the process ended";
      case EpisodeEvent.FinishBegun e -> e.cause().label();
      case EpisodeEvent.CitationCheckRequested e -> "call " + number(e.callId().value());
      case EpisodeEvent.CitationsChecked e -> checked(e);
      case EpisodeEvent.EpisodeCompleted e -> e.outcome().label();
      case EpisodeEvent.EpisodeFailed e -> e.error() + ": " + e.message();
      case EpisodeEvent.EpisodeCancelled e -> "";
      case EpisodeEvent.EpisodeResumed e -> "with " + e.policy();
    };
  }

  private static String started(EpisodeEvent.EpisodeStarted e) {
    return e.request().format().label() + ", " + e.request().policy() + ", "
        + e.corpus().documents() + " of " + e.corpus().documentsTotal() + " documents";
  }

  private static String turn(EpisodeEvent.PolicyTurnGenerated e, Collection<String> tools) {
    String cut = e.finish() == FinishReason.STOP ? "" : ", " + e.finish().label();
    return said(e.text(), tools) + cut;
  }

  /** What the turn thinks before it acts; of one that cannot be read, how it begins. */
  private static String said(String text, Collection<String> tools) {
    if (!(Turns.parse(text, tools) instanceof ParsedTurn.Valid valid)) {
      return text.isBlank() ? "nothing" : "\"" + text.strip() + "\"";
    }
    String think = valid.turn().think().strip();
    return think.isEmpty()
        ? switch (valid.turn().action()) {
          case TurnAction.CallTool tool -> "calls " + tool.call().tool();
          case TurnAction.GiveAnswer answer -> "answers";
        }
        : "\"" + think + "\"";
  }

  static String call(ToolCall call) {
    StringBuilder text = new StringBuilder(call.tool()).append(" \"").append(call.query())
        .append('"');
    call.attributes().forEach((name, value) ->
        text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }

  private static String found(EpisodeEvent.ToolCallCompleted e) {
    String fresh =
        e.snippets().isEmpty()
            ? ""
            : " (" + range(e.snippets().stream().map(s -> s.id()).toList()) + ")";
    return counted(e.shown().size(), "passage") + ", " + e.snippets().size() + " new" + fresh
        + (e.suspicions().isEmpty() ? "" : ", suspicious: " + String.join("; ", e.suspicions()));
  }

  static String counted(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  private static String range(List<String> ids) {
    return ids.size() == 1 ? ids.getFirst() : ids.getFirst() + " to " + ids.getLast();
  }

  private static String checked(EpisodeEvent.CitationsChecked e) {
    long supported =
        e.verdicts().stream().filter(v -> v.score().state() == SupportState.SUPPORTED).count();
    return supported + " of " + e.verdicts().size() + " citations supported";
  }

  private static String failed(CallFailure failure, Instant at, Optional<Instant> retryAt) {
    String then =
        retryAt
            .map(due -> "again in " + Duration.between(at, due).toMillis() / 1000.0 + " s")
            .orElse("given up");
    return failure.kind() + ", " + then + ": " + failure.message();
  }

  private static String attempt(int attempt) {
    return attempt == 1 ? "" : ", attempt " + attempt;
  }

  /** Of a call id only the number matters inside its episode. */
  private static String number(String callId) {
    return callId.substring(callId.lastIndexOf('/') + 1);
  }
}
