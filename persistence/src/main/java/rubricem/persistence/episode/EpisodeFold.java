package rubricem.persistence.episode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import rubricem.persistence.episode.TurnRecord.Called;
import rubricem.persistence.episode.TurnRecord.ToolReply;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.scaffold.ToolOutputText;

/**
 * The fold of an episode: state and event give the next state. Pure and total; it decides nothing
 * and trusts the event, so that an old journal reads the same for ever.
 */
public final class EpisodeFold {
  private EpisodeFold() {}

  public static EpisodeState apply(EpisodeState state, EpisodeEvent event) {
    Draft next = new Draft(state);
    switch (event) {
      case EpisodeEvent.EpisodeStarted e -> next.start(e);
      case EpisodeEvent.PolicyCallRequested e ->
          next.await(
              new PendingCall.OfPolicy(e.callId(), e.attempt(), e.leftOut(), Optional.empty()));
      case EpisodeEvent.PolicyTurnGenerated e -> next.generated(e);
      case EpisodeEvent.PolicyCallFailed e -> next.policyFailed(e);
      case EpisodeEvent.TurnRejected e -> next.rejected(e);
      case EpisodeEvent.ViolationsTolerated e ->
          next.usage = next.usage.violated(e.violations().size());
      case EpisodeEvent.ToolCallRequested e -> next.toolRequested(e);
      case EpisodeEvent.ToolCallCompleted e -> next.toolCompleted(e);
      case EpisodeEvent.ToolCallRefused e ->
          next.toolReplied(e.callId(), new TurnRecord.Refused(e.reason()));
      case EpisodeEvent.ToolCallFailed e -> next.toolFailed(e);
      case EpisodeEvent.ToolCallServed e -> next.served(e);
      case EpisodeEvent.CallRetried e -> next.retried(e);
      case EpisodeEvent.CallRepeated e -> next.repeated(e.at());
      case EpisodeEvent.FinishBegun e -> next.finish = Optional.of(e.cause());
      case EpisodeEvent.CitationCheckRequested e -> next.checking(e.callId());
      case EpisodeEvent.CitationsChecked e -> next.checked(e.verdicts());
      case EpisodeEvent.EpisodeCompleted e ->
          next.end(EpisodeStatus.COMPLETED, e.at(), Optional.of(e.outcome()));
      case EpisodeEvent.EpisodeFailed e -> next.fail(e);
      case EpisodeEvent.EpisodeCancelled e ->
          next.end(EpisodeStatus.CANCELLED, e.at(), Optional.empty());
      case EpisodeEvent.EpisodeResumed e -> next.resume(e);
    }
    return next.state(event.at());
  }

  public static EpisodeState of(Iterable<? extends EpisodeEvent> events) {
    EpisodeState state = EpisodeState.EMPTY;
    for (EpisodeEvent event : events) {
      state = apply(state, event);
    }
    return state;
  }

  /** A state in the making: the record's parts, changed by one event and put together again. */
  private static final class Draft {
    private final EpisodeState old;
    private Optional<EpisodeEvent.EpisodeStarted> started;
    private EpisodeStatus status;
    private List<TurnRecord> turns;
    private List<Snippet> evidence;
    private long promptCharsMax;
    private Optional<PendingCall> pending;
    private EpisodeUsage usage;
    private int calls;
    private int rejectedInARow;
    private int truncatedInARow;
    private int finalTurns;
    private int shrinks;
    private int turnsForgiven;
    private int callsForgiven;
    private long lastCallTokens;
    private double lastCallCost;
    private boolean foundSomething;
    private Optional<FinishCause> finish;
    private Optional<EpisodeOutcome> outcome;
    private Optional<EpisodeEvent.EpisodeFailed> failure;
    private List<ClaimVerdict> verdicts;
    private Searched searched;
    private String policy;
    private String modelVersion;
    private Optional<Instant> endedAt;
    private Instant clockStart;

    Draft(EpisodeState s) {
      old = s;
      started = s.started();
      status = s.status();
      turns = s.turns();
      evidence = s.evidence();
      promptCharsMax = s.promptCharsMax();
      pending = s.pending();
      usage = s.usage();
      calls = s.calls();
      rejectedInARow = s.rejectedInARow();
      truncatedInARow = s.truncatedInARow();
      finalTurns = s.finalTurns();
      shrinks = s.shrinks();
      turnsForgiven = s.turnsForgiven();
      callsForgiven = s.callsForgiven();
      lastCallTokens = s.lastCallTokens();
      lastCallCost = s.lastCallCost();
      foundSomething = s.foundSomething();
      finish = s.finish();
      outcome = s.outcome();
      failure = s.failure();
      verdicts = s.verdicts();
      searched = s.searched();
      policy = s.policy();
      modelVersion = s.modelVersion();
      endedAt = s.endedAt();
      clockStart = s.clockStart();
    }

    EpisodeState state(Instant at) {
      return new EpisodeState(
          started, status, new History(turns, evidence), promptCharsMax, pending, usage, calls, rejectedInARow,
          truncatedInARow, finalTurns, shrinks, turnsForgiven, callsForgiven, lastCallTokens,
          lastCallCost, foundSomething, finish, outcome, failure, verdicts, searched, policy,
          modelVersion, endedAt, clockStart, at, old.events() + 1);
    }

    void start(EpisodeEvent.EpisodeStarted e) {
      started = Optional.of(e);
      status = EpisodeStatus.RUNNING;
      searched = e.corpus();
      policy = e.request().policy();
      clockStart = e.at();
    }

    void await(PendingCall call) {
      if (call.attempt() == 1) {
        calls++;
      }
      pending = Optional.of(call);
    }

    void generated(EpisodeEvent.PolicyTurnGenerated e) {
      pending = Optional.empty();
      usage = usage.generated(e.usage());
      lastCallTokens = e.usage().promptTokens() + e.usage().completionTokens();
      lastCallCost = e.usage().costUsd();
      modelVersion = e.modelVersion();
      finalTurns += finish.isPresent() ? 1 : 0;
      promptCharsMax += PromptLength.ofTurn(e.text());
      turns = plus(turns, new TurnRecord(e.callId(), e.text(), e.finish(), TurnRecord.Unread.TURN));
    }

    void policyFailed(EpisodeEvent.PolicyCallFailed e) {
      boolean inFlight = pending.flatMap(PendingCall::retryAt).isEmpty();
      usage = inFlight ? usage.generated(e.usage().orElse(TokenUsage.NONE)) : usage;
      shrinks += e.failure().kind().equals("context_too_long") ? 1 : 0;
      pending =
          e.retryAt().isEmpty()
              ? Optional.empty()
              : pending.map(
                  p ->
                      new PendingCall.OfPolicy(
                          p.callId(), p.attempt(), leftOut(p), e.retryAt()));
    }

    void rejected(EpisodeEvent.TurnRejected e) {
      boolean cut = turns.getLast().finish() == rubricem.protocol.port.FinishReason.LENGTH;
      usage = usage.violated(e.violations().size());
      rejectedInARow++;
      truncatedInARow = cut ? truncatedInARow + 1 : 0;
      replied(new TurnRecord.Rejected(e.notice()));
    }

    void toolRequested(EpisodeEvent.ToolCallRequested e) {
      usage = usage.called();
      goodTurn();
      replied(new Called(e.callId(), e.call(), Optional.empty()));
      await(new PendingCall.OfTool(e.callId(), 1, e.call(), Optional.empty()));
    }

    void toolCompleted(EpisodeEvent.ToolCallCompleted e) {
      Set<String> fresh = new HashSet<>();
      e.snippets().forEach(s -> fresh.add(s.id()));
      List<Snippet> all = new ArrayList<>(evidence);
      all.addAll(e.snippets());
      evidence = List.copyOf(all);
      foundSomething = true;
      for (Snippet snippet : e.snippets()) {
        promptCharsMax += ToolOutputText.lengthMax(snippet);
      }
      if (e.searched().documentsTotal() > 0) {
        searched = e.searched();
      }
      toolReplied(
          e.callId(),
          new TurnRecord.Found(
              e.shown().stream().filter(fresh::contains).toList(),
              e.shown().stream().filter(id -> !fresh.contains(id)).toList(),
              e.notes()));
    }

    void toolFailed(EpisodeEvent.ToolCallFailed e) {
      if (e.retryAt().isEmpty()) {
        toolReplied(e.callId(), new TurnRecord.Failed(e.failure().message()));
      } else {
        pending =
            pending.map(
                p ->
                    p instanceof PendingCall.OfTool t
                        ? new PendingCall.OfTool(t.callId(), t.attempt(), t.call(), e.retryAt())
                        : p);
      }
    }

    void served(EpisodeEvent.ToolCallServed e) {
      goodTurn();
      calls++;
      replied(
          new Called(
              e.callId(), e.call(), Optional.of(new TurnRecord.Served(e.from(), e.times()))));
    }

    void retried(EpisodeEvent.CallRetried e) {
      int attempt = e.attempt();
      pending.flatMap(PendingCall::retryAt).ifPresent(due -> notThere(due, e.at()));
      pending =
          pending.map(
              p ->
                  switch (p) {
                    case PendingCall.OfPolicy c ->
                        new PendingCall.OfPolicy(
                            c.callId(), attempt, c.leftOut(), Optional.empty());
                    case PendingCall.OfTool c ->
                        new PendingCall.OfTool(c.callId(), attempt, c.call(), Optional.empty());
                    case PendingCall.OfCitationCheck c -> c;
                  });
    }

    void checking(CallId callId) {
      goodTurn();
      replied(TurnRecord.Answered.TURN);
      await(new PendingCall.OfCitationCheck(callId));
    }

    void checked(List<ClaimVerdict> found) {
      verdicts = found;
      pending = Optional.empty();
    }

    void end(EpisodeStatus ended, Instant at, Optional<EpisodeOutcome> result) {
      status = ended;
      outcome = result;
      endedAt = Optional.of(at);
      pending = Optional.empty();
    }

    void fail(EpisodeEvent.EpisodeFailed e) {
      failure = Optional.of(e);
      end(EpisodeStatus.FAILED, e.at(), Optional.empty());
    }

    void repeated(Instant at) {
      usage = usage.repeated();
      notThere(old.lastAt(), at);
    }

    /** While no process was there no time was used. */
    private void notThere(Instant from, Instant to) {
      if (to.isAfter(from)) {
        clockStart = clockStart.plus(Duration.between(from, to));
      }
    }

    /** What ended the research still holds, unless the research itself is what failed. */
    void resume(EpisodeEvent.EpisodeResumed e) {
      boolean researchFailed = failure.filter(f -> !f.finalising()).isPresent();
      if (researchFailed) {
        finish = Optional.empty();
        turnsForgiven = turns.size();
        callsForgiven = foundSomething ? callsForgiven : usage.toolCalls();
      }
      status = EpisodeStatus.RUNNING;
      policy = e.policy();
      clockStart = e.at();
      failure = Optional.empty();
      endedAt = Optional.empty();
      rejectedInARow = 0;
      truncatedInARow = 0;
      finalTurns = 0;
      shrinks = 0;
    }

    private void goodTurn() {
      rejectedInARow = 0;
      truncatedInARow = 0;
    }

    private void toolReplied(CallId callId, ToolReply reply) {
      pending = Optional.empty();
      if (!turns.isEmpty()
          && turns.getLast().reply() instanceof Called called
          && called.callId().equals(callId)) {
        replied(new Called(callId, called.call(), Optional.of(reply)));
      }
    }

    private void replied(TurnRecord.Reply reply) {
      if (!turns.isEmpty()) {
        promptCharsMax += PromptLength.of(reply);
        List<TurnRecord> all = new ArrayList<>(turns);
        all.set(all.size() - 1, turns.getLast().with(reply));
        turns = List.copyOf(all);
      }
    }

    private static List<String> leftOut(PendingCall call) {
      return call instanceof PendingCall.OfPolicy policy ? policy.leftOut() : List.of();
    }

    private static <T> List<T> plus(List<T> list, T last) {
      List<T> all = new ArrayList<>(list.size() + 1);
      all.addAll(list);
      all.add(last);
      return List.copyOf(all);
    }
  }
}
