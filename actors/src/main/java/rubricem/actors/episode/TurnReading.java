package rubricem.actors.episode;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.EpisodeState.Asked;
import rubricem.persistence.episode.TurnRecord;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.ScaffoldViolation;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;
import rubricem.protocol.scaffold.ViolationNotice;

/**
 * Reads the turn that has just been generated and decides what follows from it: a call, one served
 * from the record, the check of its answer, or its rejection with what the policy is told.
 */
final class TurnReading {
  private static final String CUT =
      "Your last turn was cut by the output limit before its action was complete. Write it again,"
          + " shorter.";

  /** A notice may quote what the policy wrote, and that may be anything. */
  private static final int NOTICE_CHARS_MAX = 2_000;

  private TurnReading() {}

  static void read(Steps steps, EpisodeSettings settings) {
    TurnRecord turn = steps.state().turns().getLast();
    ParsedTurn parsed = ScaffoldParser.parse(turn.text(), context(steps.state(), false));
    switch (parsed) {
      case ParsedTurn.Valid valid -> carryOut(steps, settings, turn, valid);
      case ParsedTurn.Invalid invalid -> reject(steps, settings, turn, invalid);
    }
  }

  /** What the parser must know to read the newest turn of {@code state}. */
  static TurnContext context(EpisodeState state, boolean cutAnswerCounts) {
    boolean first = state.turns().size() <= 1 || state.goodTurns() <= 1;
    return new TurnContext(
        first && state.finish().isEmpty(), Set.copyOf(state.start().tools()),
        state.toolCallsLeft(), cutAnswerCounts);
  }

  private static void carryOut(
      Steps steps, EpisodeSettings settings, TurnRecord turn, ParsedTurn.Valid valid) {
    if (!valid.tolerated().isEmpty()) {
      steps.add(
          new EpisodeEvent.ViolationsTolerated(
              steps.now(), turn.callId(), codes(valid.tolerated())));
    }
    switch (valid.turn().action()) {
      case TurnAction.CallTool call -> call(steps, settings, call.call());
      case TurnAction.GiveAnswer answer ->
          steps.add(new EpisodeEvent.CitationCheckRequested(steps.now(), steps.nextCall()));
    }
  }

  private static void call(Steps steps, EpisodeSettings settings, ToolCall call) {
    Optional<Asked> before = steps.state().asked(call);
    if (before.isEmpty()) {
      steps.add(new EpisodeEvent.ToolCallRequested(steps.now(), steps.nextCall(), call));
      return;
    }
    int times = before.get().times() + 1;
    steps.add(
        new EpisodeEvent.ToolCallServed(
            steps.now(), steps.nextCall(), before.get().callId(), call, times));
    if (times > settings.servedMax() && steps.state().finish().isEmpty()) {
      steps.add(new EpisodeEvent.FinishBegun(steps.now(), FinishCause.REPEATED_CALLS));
    }
    steps.askPolicy();
  }

  private static void reject(
      Steps steps, EpisodeSettings settings, TurnRecord turn, ParsedTurn.Invalid invalid) {
    boolean cut = turn.finish() == FinishReason.LENGTH;
    boolean again = steps.state().truncatedInARow() == 0 && !steps.isLate();
    if (cut && !again && acceptCutAnswer(steps, turn)) {
      return;
    }
    List<ScaffoldViolation> violations = invalid.violations();
    steps.add(
        new EpisodeEvent.TurnRejected(
            steps.now(), turn.callId(), codes(violations),
            Findings.clip(cut ? CUT : ViolationNotice.text(violations), NOTICE_CHARS_MAX)));
    if (steps.state().finish().isEmpty()
        && steps.state().rejectedInARow() >= settings.violationsInARow()) {
      steps.add(new EpisodeEvent.FinishBegun(steps.now(), FinishCause.VIOLATIONS));
    }
    steps.askPolicy();
  }

  /** There is no shorter second try, or it was cut too: what stands of the answer is the answer. */
  private static boolean acceptCutAnswer(Steps steps, TurnRecord turn) {
    ParsedTurn parsed = ScaffoldParser.parse(turn.text(), context(steps.state(), true));
    if (!(parsed instanceof ParsedTurn.Valid valid)
        || !(valid.turn().action() instanceof TurnAction.GiveAnswer)) {
      return false;
    }
    // the first limit that was met stays the recorded one
    if (steps.state().finish().filter(FinishCause::limit).isEmpty()) {
      steps.add(new EpisodeEvent.FinishBegun(steps.now(), FinishCause.OUTPUT_TOKENS));
    }
    steps.add(new EpisodeEvent.CitationCheckRequested(steps.now(), steps.nextCall()));
    return true;
  }

  private static List<String> codes(List<ScaffoldViolation> violations) {
    return violations.stream().map(ScaffoldViolation::code).toList();
  }
}
