package rubricem.app.cli;

import java.util.List;
import java.util.Locale;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.report.ClaimVerdict;

/** The whole texts of an event, each under its name and behind an indent. */
final class ReplayTexts {
  private static final String NAMES = "       ";
  private static final String TEXTS = "         ";

  private final StringBuilder out = new StringBuilder();

  private ReplayTexts() {}

  /** Everything the event holds beyond its line; ends with a line break or is empty. */
  static String of(EpisodeEvent event) {
    ReplayTexts texts = new ReplayTexts();
    texts.add(event);
    return texts.out.toString();
  }

  private void add(EpisodeEvent event) {
    switch (event) {
      case EpisodeEvent.EpisodeStarted e -> started(e);
      case EpisodeEvent.PolicyCallRequested e -> {
        call(e.callId().value());
        field("prompt", e.prompt());
        list("left out", e.leftOut());
      }
      case EpisodeEvent.PolicyTurnGenerated e -> {
        call(e.callId().value());
        field("model", e.modelVersion());
        field("finish", e.finish().label());
        text("text", e.text());
        e.thinking().ifPresent(thinking -> text("thinking", thinking));
      }
      case EpisodeEvent.PolicyCallFailed e -> failed(e.callId().value(), e.failure());
      case EpisodeEvent.TurnRejected e -> {
        call(e.callId().value());
        list("violations", e.violations());
        text("notice to the policy", e.notice());
      }
      case EpisodeEvent.ViolationsTolerated e -> list("violations", e.violations());
      case EpisodeEvent.ToolCallRequested e -> {
        call(e.callId().value());
        text("tool call", EventSummary.call(e.call()));
      }
      case EpisodeEvent.ToolCallCompleted e -> completed(e);
      case EpisodeEvent.ToolCallRefused e -> {
        call(e.callId().value());
        text("reason", e.reason());
      }
      case EpisodeEvent.ToolCallFailed e -> failed(e.callId().value(), e.failure());
      case EpisodeEvent.ToolCallServed e -> {
        call(e.callId().value());
        text("tool call", EventSummary.call(e.call()));
      }
      case EpisodeEvent.CallRetried e -> {
        call(e.callId().value());
        field("attempt", Integer.toString(e.attempt()));
      }
      case EpisodeEvent.CallRepeated e -> call(e.callId().value());
      case EpisodeEvent.CitationCheckRequested e -> call(e.callId().value());
      case EpisodeEvent.CitationsChecked e -> e.verdicts().forEach(this::verdict);
      case EpisodeEvent.EpisodeFailed e -> {
        field("error", e.error());
        text("message", e.message());
      }
      case EpisodeEvent.FinishBegun e -> field("cause", e.cause().label());
      case EpisodeEvent.EpisodeCompleted e -> field("outcome", e.outcome().label());
      case EpisodeEvent.EpisodeCancelled e -> {}
      case EpisodeEvent.EpisodeResumed e -> field("policy", e.policy());
    }
  }

  private void started(EpisodeEvent.EpisodeStarted e) {
    field("episode", e.id().value());
    text("question", e.request().question());
    field("policy", e.request().policy());
    var limits = e.request().limits();
    field(
        "limits",
        limits.toolCalls() + " tool calls, " + limits.seconds() + " s, " + limits.tokens()
            + " tokens, " + (limits.costUsd() == 0 ? "any cost" : "$" + limits.costUsd()));
    field("seed", Long.toString(e.request().seed()));
    field("prompt", e.systemPrompt().name() + " " + e.systemPrompt().sha256());
    field("format", e.formatInstruction().name() + " " + e.formatInstruction().sha256());
    list("tools", e.tools());
    list("corpus", e.request().corpus());
    searched(e.corpus());
    e.request().metadata().forEach((name, value) -> field("metadata " + name, value));
  }

  private void completed(EpisodeEvent.ToolCallCompleted e) {
    call(e.callId().value());
    list("shown", e.shown());
    searched(e.searched());
    e.notes().forEach(note -> text("note", note));
    list("suspicions", e.suspicions());
    e.snippets().forEach(this::snippet);
  }

  private void snippet(Snippet snippet) {
    Passage p = snippet.passage();
    field(snippet.id(), p.title());
    field("  " + p.url(), p.position());
    out.append(TerminalText.block(p.text(), TEXTS));
    p.note().ifPresent(note -> field("  note", note));
  }

  private void searched(Searched searched) {
    field("searched", searched.documents() + " of " + searched.documentsTotal() + " documents");
    searched.unreadable().forEach(line -> field("  unreadable", line));
  }

  private void verdict(ClaimVerdict v) {
    field(
        "claim " + v.claim() + ", " + v.snippetId(),
        v.score().state().label()
            + String.format(Locale.ROOT, ", words %.2f", v.score().lexical())
            + v.score()
                .cosine()
                .map(c -> String.format(Locale.ROOT, ", meaning %.2f", c))
                .orElse(""));
    out.append(TerminalText.block(v.score().quote(), TEXTS));
  }

  private void failed(String callId, CallFailure failure) {
    call(callId);
    field("failure", failure.kind());
    text("message", failure.message());
  }

  private void call(String callId) {
    field("call", callId);
  }

  private void list(String name, List<String> values) {
    if (!values.isEmpty()) {
      field(name, String.join(", ", values));
    }
  }

  private void field(String name, String value) {
    String safe = TerminalText.block(value, "").strip().replace("\n", " ");
    out.append(NAMES).append(TerminalText.block(name, "").stripTrailing());
    out.append(safe.isEmpty() ? "\n" : ": " + safe + "\n");
  }

  private void text(String name, String value) {
    out.append(NAMES).append(name).append(":\n");
    out.append(TerminalText.block(value, TEXTS));
  }
}
