package rubricem.actors.episode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.TurnRecord;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.scaffold.ScaffoldPrinter;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;

/**
 * Writes the history a policy is shown. It is bounded: where it would not fit, the texts of the
 * oldest passages are left out first, their ids and titles stay, then the oldest turns; the
 * request's event names both. Nothing from outside reaches it un-escaped: {@link ToolOutputText}
 * writes every passage.
 */
final class PromptAssembly {
  private static final String FINISH =
      "The research ends here: no further tool call is possible. Write the review and then the"
          + " answer from the evidence above, and say what stays open.";
  private static final String LEFT_OUT =
      "The text of older passages was left out for length; their ids stay valid.";

  static final List<String> NOTHING = List.of("Nothing was found.");

  private static final String TURN_LEFT_OUT = "This turn was left out for length.";

  /** A title longer than this is no title. */
  private static final int TITLE_CHARS_KEPT = 300;

  /** A query longer than this leaves with its turn. */
  private static final int QUERY_CHARS_KEPT = 500;

  private PromptAssembly() {}

  static List<PolicyMessage> messages(
      EpisodeState state, String formatInstruction, List<String> leftOut) {
    return messages(state, formatInstruction, leftOut, new ShownReplies());
  }

  /** @param shown what was written for earlier turns of this episode */
  static List<PolicyMessage> messages(
      EpisodeState state, String formatInstruction, List<String> leftOut, ShownReplies shown) {
    List<PolicyMessage> messages = new ArrayList<>();
    messages.add(asked(state.request().question(), formatInstruction));
    Map<String, Snippet> snippets = new LinkedHashMap<>();
    state.evidence().forEach(s -> snippets.put(s.id(), s));
    Set<String> without = new HashSet<>(leftOut);
    for (int i = 0; i < state.turns().size(); i++) {
      TurnRecord turn = state.turns().get(i);
      boolean last = i == state.turns().size() - 1;
      messages.add(
          new PolicyMessage.Assistant(
              without.contains(turn.callId().value()) ? shortened(turn) : turn.text()));
      messages.add(
          new PolicyMessage.ToolOutput(
              without.isEmpty() && !(last && state.finish().isPresent()) && found(turn)
                  ? shown.of(
                      turn.callId(), () -> reply(state, turn.reply(), snippets, without, last))
                  : reply(state, turn.reply(), snippets, without, last)));
    }
    if (state.turns().isEmpty() && state.finish().isPresent()) {
      messages.add(new PolicyMessage.ToolOutput(ToolOutputText.printError(FINISH)));
    }
    return messages;
  }

  static PolicyMessage asked(String question, String formatInstruction) {
    return new PolicyMessage.User(question + "\n\n" + formatInstruction.strip());
  }

  private static boolean found(TurnRecord turn) {
    return turn.reply() instanceof TurnRecord.Called called
        && called.outcome().orElse(null) instanceof TurnRecord.Found;
  }

  private static String reply(
      EpisodeState state,
      TurnRecord.Reply reply,
      Map<String, Snippet> snippets,
      Set<String> without,
      boolean last) {
    List<String> notes = new ArrayList<>();
    if (last && state.finish().isPresent()) {
      notes.add(FINISH);
    }
    return switch (reply) {
      case TurnRecord.Rejected rejected -> error(rejected.notice(), notes);
      case TurnRecord.Unread unread -> error("The turn was not carried out.", notes);
      case TurnRecord.Answered answered -> error("The episode is being resumed.", notes);
      case TurnRecord.Called called ->
          called.outcome().isEmpty()
              ? error("The call was not finished.", notes)
              : outcome(called.outcome().get(), snippets, without, notes);
    };
  }

  private static String outcome(
      TurnRecord.ToolReply outcome,
      Map<String, Snippet> snippets,
      Set<String> without,
      List<String> notes) {
    return switch (outcome) {
      case TurnRecord.Refused refused -> error(refused.message(), notes);
      case TurnRecord.Failed failed -> error(failed.message(), notes);
      case TurnRecord.Served served ->
          error(
              served.times() <= 2
                  ? "This very call was made before; its result stands above. Ask something else"
                      + " or go on."
                  : "You already have the result of this call; asked " + served.times()
                      + " times. Ask something else, or write the review and the answer.",
              notes);
      case TurnRecord.Found found -> {
        List<Snippet> fresh = found.fresh().stream().map(snippets::get).toList();
        List<String> all = new ArrayList<>(found.notes());
        if (!found.again().isEmpty()) {
          all.add("Found again, shown above: " + String.join(", ", found.again()) + ".");
        }
        if (found.fresh().isEmpty() && found.again().isEmpty()) {
          all.addAll(NOTHING);
        }
        if (fresh.stream().anyMatch(s -> without.contains(s.id()))) {
          all.add(LEFT_OUT);
        }
        all.addAll(notes);
        yield ToolOutputText.print(
            fresh.stream().map(s -> without.contains(s.id()) ? bare(s) : s).toList(), all);
      }
    };
  }

  private static String error(String message, List<String> notes) {
    return ToolOutputText.printError(
        notes.isEmpty() ? message : message + "\n" + String.join("\n", notes));
  }

  private static Snippet bare(Snippet s) {
    var p = s.passage();
    return new Snippet(
        s.id(), s.callId(), s.tool(),
        new rubricem.protocol.evidence.Passage(
            p.document(), Findings.clip(p.title(), TITLE_CHARS_KEPT), p.url(), p.position(),
            p.from(), p.to(), "", p.score(),
            p.note().map(n -> Findings.clip(n, TITLE_CHARS_KEPT))));
  }

  /**
   * What must go so that the history fits: the texts of passages, oldest first, by snippet id;
   * where that is not enough the texts of turns but the last, by call id.
   */
  static List<String> leftOut(EpisodeState state, EpisodeSettings settings) {
    long room = settings.promptCharsMax() >> state.shrinks();
    if (state.promptCharsMax() + state.request().question().length() <= room) {
      return List.of();
    }
    long size =
        messages(state, "", List.of()).stream().mapToLong(m -> m.text().length()).sum();
    List<String> out = new ArrayList<>();
    for (Snippet snippet : state.evidence()) {
      if (size <= room) {
        return List.copyOf(out);
      }
      size -= printed(snippet) - printed(bare(snippet));
      out.add(snippet.id());
    }
    for (TurnRecord turn : state.turns().subList(0, Math.max(0, state.turns().size() - 1))) {
      if (size <= room) {
        return List.copyOf(out);
      }
      size -= turn.text().length() - shortened(turn).length();
      out.add(turn.callId().value());
    }
    return List.copyOf(out);
  }

  private static int printed(Snippet snippet) {
    return ToolOutputText.print(List.of(snippet), List.of()).length();
  }

  /** An old turn without its thoughts: the call it ended with, if it did and that is short. */
  private static String shortened(TurnRecord turn) {
    return turn.reply() instanceof TurnRecord.Called called
            && called.call().query().length() <= QUERY_CHARS_KEPT
            && called.call().attributes().isEmpty()
        ? ScaffoldPrinter.print(
            new Turn(
                TURN_LEFT_OUT, Optional.empty(), Optional.empty(), Optional.empty(),
                new TurnAction.CallTool(called.call())))
        : TURN_LEFT_OUT;
  }
}
