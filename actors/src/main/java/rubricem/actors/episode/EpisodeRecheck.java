package rubricem.actors.episode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.ToolOutcome;

/**
 * Decides a stored episode once more. The first event of a write tells what came from outside; from
 * that, the state before it and its time the decider must produce the whole write again. The first
 * event it does not produce is the divergence: code or settings have changed, or the journal has.
 * Pure; it believes every answer from outside and questions only what was made of it.
 */
public final class EpisodeRecheck {
  private final EpisodeDecider decider;

  public EpisodeRecheck(EpisodeSettings settings) {
    this.decider = new EpisodeDecider(settings);
  }

  /**
   * @param events how many events were produced again
   * @param decisions in how many writes
   */
  public record Checked(long events, long decisions, Optional<Divergence> divergence) {}

  /**
   * @param event number of the first event that differs, from 1
   * @param input what came from outside; blank: nothing from outside leads to such an event
   * @param stored empty: the journal ends where today's code goes on
   * @param decided empty: today's code decides nothing here
   */
  public record Divergence(
      long event, String input, Optional<EpisodeEvent> stored, Optional<EpisodeEvent> decided) {}

  /** A decision beside what is stored: {@code same} events at its beginning are equal. */
  private record Comparison(EpisodeInput input, List<EpisodeEvent> decided, int same) {
    boolean equal() {
      return !decided.isEmpty() && same == decided.size();
    }
  }

  public Checked check(List<EpisodeEvent> events) {
    EpisodeState state = EpisodeState.EMPTY;
    long decisions = 0;
    int at = 0;
    while (at < events.size()) {
      if (defect(events.get(at))) {
        state = EpisodeFold.apply(state, events.get(at));
        at++;
        decisions++;
        continue;
      }
      Optional<Comparison> best = best(state, events, at);
      if (best.isEmpty() || !best.get().equal()) {
        return new Checked(at, decisions, Optional.of(divergence(best, events, at)));
      }
      for (EpisodeEvent event : best.get().decided()) {
        state = EpisodeFold.apply(state, event);
      }
      at += best.get().same();
      decisions++;
    }
    return new Checked(at, decisions, Optional.empty());
  }

  /** The actor stores it where deciding itself failed, so nothing can decide it again. */
  private static boolean defect(EpisodeEvent event) {
    return event instanceof EpisodeEvent.EpisodeFailed failed && failed.error().equals("defect");
  }

  /** Of the inputs that may have led here, the one whose decision fits longest. */
  private Optional<Comparison> best(EpisodeState state, List<EpisodeEvent> events, int at) {
    Comparison best = null;
    for (EpisodeInput input : inputs(state, events.get(at))) {
      List<EpisodeEvent> decided = decide(state, input, events.get(at));
      Comparison next = new Comparison(input, decided, same(decided, events, at));
      if (next.equal()) {
        return Optional.of(next);
      }
      if (best == null || next.same() > best.same()) {
        best = next;
      }
    }
    return Optional.ofNullable(best);
  }

  /** What today's code cannot decide it does not produce. */
  private List<EpisodeEvent> decide(EpisodeState state, EpisodeInput input, EpisodeEvent first) {
    try {
      return decider.decide(state, input, first.at());
    } catch (RuntimeException e) {
      return List.of();
    }
  }

  private static int same(List<EpisodeEvent> decided, List<EpisodeEvent> events, int at) {
    int same = 0;
    while (same < decided.size()
        && at + same < events.size()
        && decided.get(same).equals(events.get(at + same))) {
      same++;
    }
    return same;
  }

  private static Divergence divergence(
      Optional<Comparison> best, List<EpisodeEvent> events, int at) {
    int same = best.map(Comparison::same).orElse(0);
    List<EpisodeEvent> decided = best.map(Comparison::decided).orElse(List.of());
    return new Divergence(
        at + same + 1,
        best.map(c -> name(c.input())).orElse(""),
        at + same < events.size() ? Optional.of(events.get(at + same)) : Optional.empty(),
        same < decided.size() ? Optional.of(decided.get(same)) : Optional.empty());
  }

  private static String name(EpisodeInput input) {
    return EpisodeEvent.Kinds.of(input.getClass()).replace('_', ' ');
  }

  /** What may have come from outside when {@code first} was the first event of a write. */
  private static List<EpisodeInput> inputs(EpisodeState state, EpisodeEvent first) {
    return switch (first) {
      case EpisodeEvent.EpisodeStarted e ->
          List.of(
              new EpisodeInput.Start(
                  e.id(), e.request(), e.systemPrompt(), e.formatInstruction(), e.tools(),
                  e.corpus()));
      case EpisodeEvent.PolicyTurnGenerated e ->
          List.of(
              new EpisodeInput.PolicyFinished(
                  e.callId(),
                  new PolicyOutcome.Generated(
                      e.text(), e.thinking(), e.finish(), e.usage(), e.modelVersion())));
      case EpisodeEvent.PolicyCallFailed e ->
          failed(
              e.failure(),
              new EpisodeInput.PolicyFinished(
                  e.callId(),
                  new PolicyOutcome.Failed(e.failure(), e.usage().orElse(TokenUsage.NONE))));
      case EpisodeEvent.ToolCallCompleted e -> List.of(tool(e.callId(), found(state, e)));
      case EpisodeEvent.ToolCallRefused e ->
          List.of(tool(e.callId(), new ToolOutcome.Refused(e.reason())));
      case EpisodeEvent.ToolCallFailed e ->
          failed(e.failure(), tool(e.callId(), new ToolOutcome.Failed(e.failure())));
      case EpisodeEvent.CitationsChecked e ->
          List.of(new EpisodeInput.CitationsScored(e.callId(), e.verdicts()));
      case EpisodeEvent.CallRetried e -> List.of(new EpisodeInput.RetryDue(e.callId()));
      case EpisodeEvent.CallRepeated e -> List.of(EpisodeInput.Recovered.INPUT);
      case EpisodeEvent.FinishBegun e ->
          List.of(EpisodeInput.Finish.INPUT, EpisodeInput.TimePassed.INPUT);
      case EpisodeEvent.EpisodeFailed e -> List.of(EpisodeInput.TimePassed.INPUT);
      case EpisodeEvent.EpisodeCancelled e -> List.of(EpisodeInput.Cancel.INPUT);
      case EpisodeEvent.EpisodeResumed e -> List.of(new EpisodeInput.Resume(e.policy()));
      // these only ever follow from another event of their write
      case EpisodeEvent.PolicyCallRequested e -> List.of();
      case EpisodeEvent.TurnRejected e -> List.of();
      case EpisodeEvent.ViolationsTolerated e -> List.of();
      case EpisodeEvent.ToolCallRequested e -> List.of();
      case EpisodeEvent.ToolCallServed e -> List.of();
      case EpisodeEvent.CitationCheckRequested e -> List.of();
      case EpisodeEvent.EpisodeCompleted e -> List.of();
    };
  }

  /** A call fails by itself, or because the research was ended while it was in flight. */
  private static List<EpisodeInput> failed(CallFailure failure, EpisodeInput byItself) {
    return failure.equals(EpisodeDecider.STOPPED)
        ? List.of(EpisodeInput.Finish.INPUT, EpisodeInput.TimePassed.INPUT)
        : List.of(byItself);
  }

  private static EpisodeInput tool(CallId callId, ToolOutcome outcome) {
    return new EpisodeInput.ToolFinished(callId, outcome);
  }

  /** The passages as the tool gave them: best first, those known before included. */
  private static ToolOutcome found(EpisodeState state, EpisodeEvent.ToolCallCompleted e) {
    Map<String, Passage> passages = new HashMap<>();
    for (Snippet snippet : state.evidence()) {
      passages.put(snippet.id(), snippet.passage());
    }
    e.snippets().forEach(s -> passages.put(s.id(), s.passage()));
    return new ToolOutcome.Found(
        e.shown().stream().filter(passages::containsKey).map(passages::get).toList(),
        e.searched(), e.notes());
  }
}
