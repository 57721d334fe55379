package rubricem.app.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Locale;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.EpisodeTexts;
import rubricem.persistence.episode.EpisodeUsage;
import rubricem.persistence.episode.PendingCall;
import rubricem.persistence.episode.TurnRecord;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.evidence.Snippet;

/** An episode as it stood after one of its events: for a person, or as JSON. */
final class ReplayState {
  private static final int VALUE_COLUMNS = 100;
  private static final String LINE = "%-12s%s%n";

  private final StringBuilder out = new StringBuilder();

  private ReplayState() {}

  /** @param last number of the episode's last event */
  static String summary(EpisodeState state, long last) {
    ReplayState summary = new ReplayState();
    summary.add(state, last);
    return summary.out.toString();
  }

  private void add(EpisodeState state, long last) {
    line("episode", state.id().value());
    line(
        "after",
        "event " + state.events() + " of " + last + ", "
            + ReplayLines.seconds(Duration.between(state.start().at(), state.lastAt()))
            + " after its start");
    line("status", state.status().label() + state.outcome().map(o -> ", " + o.label()).orElse(""));
    line("stage", state.stage().label());
    line("question", state.request().question());
    line("policy", state.policy() + version(state));
    line("turns", turns(state));
    state.pending().ifPresent(p -> line("pending", pending(p, state)));
    state.finish().ifPresent(cause -> line("finishing", cause.label()));
    state.failure().ifPresent(f -> line("failure", f.error() + ": " + f.message()));
    usage(state);
    EpisodeTexts.plan(state).ifPresent(p -> p.researchPlan().ifPresent(t -> block("plan", t)));
    EpisodeTexts.review(state).ifPresent(r -> block("review", r.rubricReview()));
    EpisodeTexts.answer(state).ifPresent(answer -> block("answer", answer));
    evidence(state);
  }

  private static String version(EpisodeState state) {
    return state.modelVersion().isBlank() ? "" : " (" + state.modelVersion() + ")";
  }

  private static String turns(EpisodeState state) {
    long rejected =
        state.turns().stream().filter(t -> t.reply() instanceof TurnRecord.Rejected).count();
    return state.turns().size() + (rejected == 0 ? "" : ", " + rejected + " not carried out");
  }

  private static String pending(PendingCall pending, EpisodeState state) {
    String what =
        switch (pending) {
          case PendingCall.OfPolicy call -> "the policy's next turn";
          case PendingCall.OfTool call -> EventSummary.call(call.call());
          case PendingCall.OfCitationCheck call -> "the check of the citations";
        };
    String due =
        pending
            .retryAt()
            .map(at -> ", again in "
                + ReplayLines.seconds(Duration.between(state.lastAt(), at)))
            .orElse(", in flight");
    return what + "; call " + pending.callId() + ", attempt " + pending.attempt() + due;
  }

  private void usage(EpisodeState state) {
    EpisodeUsage u = state.usage();
    EpisodeLimits limits = state.request().limits();
    line("tool calls", u.toolCalls() + " of " + limits.toolCalls());
    line(
        "tokens",
        u.promptTokens() + "+" + u.completionTokens() + " of " + limits.tokens()
            + ", cost " + ReplayLines.cost(u.costUsd()));
    if (u.repeatedCalls() > 0 || u.violations() > 0) {
      line("", u.repeatedCalls() + " repeated calls, " + u.violations() + " violations");
    }
  }

  private void evidence(EpisodeState state) {
    line("evidence", EventSummary.counted(state.evidence().size(), "passage"));
    for (Snippet s : state.evidence()) {
      String where = s.passage().document()
          + (s.passage().position().isBlank() ? "" : ", " + s.passage().position());
      line("", String.format(Locale.ROOT, "%-6s%s (%s)", s.id(), s.passage().title(), where));
    }
  }

  private void line(String name, String value) {
    out.append(String.format(LINE, name, TerminalText.line(value, VALUE_COLUMNS)));
  }

  private void block(String name, String text) {
    out.append(name).append('\n').append(TerminalText.block(text.strip(), " ".repeat(12)));
  }

  /** The episode object of the API, and beside it what only a replay can show. */
  static ObjectNode json(EpisodeState state) {
    ObjectMapper mapper = DurableFormat.json();
    ObjectNode node = mapper.valueToTree(EpisodeProjection.view(state));
    node.put("after_event", state.events());
    state.pending().ifPresent(pending -> node.set("pending_call", call(pending)));
    node.put("calls", state.calls());
    node.put("rejected_in_a_row", state.rejectedInARow());
    node.put("final_turns", state.finalTurns());
    node.put("shrinks", state.shrinks());
    ArrayNode turns = node.putArray("turns");
    for (TurnRecord turn : state.turns()) {
      turns.addObject()
          .put("call_id", turn.callId().value())
          .put("finish", turn.finish().label())
          .put("reply", EpisodeEvent.Kinds.of(turn.reply().getClass()))
          .put("text", turn.text());
    }
    return node;
  }

  private static ObjectNode call(PendingCall pending) {
    ObjectNode node = DurableFormat.json().valueToTree(pending);
    node.put(
        "waits_for",
        switch (pending) {
          case PendingCall.OfPolicy call -> "policy";
          case PendingCall.OfTool call -> "tool";
          case PendingCall.OfCitationCheck call -> "citation_check";
        });
    node.put("attempt", pending.attempt());
    return node;
  }
}
