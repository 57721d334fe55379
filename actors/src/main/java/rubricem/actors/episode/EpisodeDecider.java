package rubricem.actors.episode;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import rubricem.actors.call.RetrySchedule;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeEvent.EpisodeStarted;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.report.ClaimVerdict;

/**
 * Decides what an input means for an episode: the events that follow, in order, to be stored in one
 * write. Pure: the same state, input and time give the same events, which {@code replay --check}
 * relies on. It makes no call; what is to be called is the state's pending call.
 */
public final class EpisodeDecider {
  /** Why a call was given up: the research was ended. No port says the same. */
  static final CallFailure STOPPED =
      new CallFailure.Terminal("stopped", "the research was ended here");

  /** What a policy says whose server cannot be connected to at all. */
  private static final String UNREACHABLE = "unreachable";

  private final EpisodeSettings settings;

  public EpisodeDecider(EpisodeSettings settings) {
    this.settings = settings;
  }

  public List<EpisodeEvent> decide(EpisodeState state, EpisodeInput input, Instant now) {
    // what is decided must follow from what is stored, and times are stored as milliseconds
    Steps steps = new Steps(settings, state, now.truncatedTo(ChronoUnit.MILLIS));
    switch (StorableInput.of(input)) {
      case EpisodeInput.Start start -> start(steps, start);
      case EpisodeInput.PolicyFinished finished -> policyFinished(steps, finished);
      case EpisodeInput.ToolFinished finished -> toolFinished(steps, finished);
      case EpisodeInput.CitationsScored scored -> citationsScored(steps, scored);
      case EpisodeInput.RetryDue due -> retryDue(steps, due.callId());
      case EpisodeInput.Recovered recovered -> recovered(steps);
      case EpisodeInput.TimePassed passed -> timePassed(steps);
      case EpisodeInput.Finish finish -> finish(steps);
      case EpisodeInput.Cancel cancel -> {
        if (steps.state().running()) {
          steps.add(new EpisodeEvent.EpisodeCancelled(steps.now()));
        }
      }
      case EpisodeInput.Resume resume -> resume(steps, resume.policy());
    }
    return steps.events();
  }

  /** When the state next wants to hear {@link EpisodeInput.TimePassed}; empty: never. */
  public Optional<Instant> wake(EpisodeState state) {
    if (!state.running()) {
      return Optional.empty();
    }
    Deadlines deadlines = Deadlines.of(state, settings);
    boolean exploring = state.finish().isEmpty() && !checking(state);
    return Optional.of(exploring ? deadlines.explore() : deadlines.hard());
  }

  private static void start(Steps steps, EpisodeInput.Start start) {
    if (steps.state().started().isPresent()) {
      return;
    }
    steps.add(
        new EpisodeStarted(
            steps.now(), start.id(), start.request(), start.systemPrompt(),
            start.formatInstruction(), start.tools(), start.corpus()));
    steps.askPolicy();
  }

  private void policyFinished(Steps steps, EpisodeInput.PolicyFinished finished) {
    if (!(inFlight(steps.state(), finished.callId()) instanceof PendingCall.OfPolicy call)) {
      return;
    }
    switch (finished.outcome()) {
      case PolicyOutcome.Generated generated -> {
        steps.add(Findings.generated(steps, call, generated));
        TurnReading.read(steps, settings);
      }
      case PolicyOutcome.Failed failed -> policyFailed(steps, call, failed);
    }
  }

  private void policyFailed(
      Steps steps, PendingCall.OfPolicy call, PolicyOutcome.Failed outcome) {
    CallFailure failure = outcome.failure();
    EpisodeState state = steps.state();
    boolean tooLong = failure.kind().equals("context_too_long");
    if (tooLong && state.shrinks() < Steps.SHRINKS_MAX) {
      steps.add(failed(steps, call, outcome, Optional.empty()));
      steps.askPolicy();
      return;
    }
    Optional<Instant> retryAt =
        schedule(state, failure)
            .delay(call.callId(), call.attempt(), failure)
            .map(delay -> due(steps, delay))
            .filter(at -> at.isBefore(Deadlines.of(state, settings).hard()));
    steps.add(failed(steps, call, outcome, retryAt));
    if (retryAt.isEmpty()) {
      boolean finalising = state.finish().isPresent();
      steps.fail(failure.kind(), failure.message(), finalising);
    }
  }

  private RetrySchedule schedule(EpisodeState state, CallFailure failure) {
    if (state.finish().isPresent()) {
      return settings.finalPolicyRetries();
    }
    boolean neverAnswered = state.turns().isEmpty() && failure.kind().equals(UNREACHABLE);
    return neverAnswered ? settings.unreachableRetries() : settings.policyRetries();
  }

  /**
   * About when a failed call is given up, if it goes on failing like this.
   *
   * @param state before the failure
   */
  public Instant triedUntil(EpisodeState state, EpisodeEvent.PolicyCallFailed failed) {
    Duration left =
        schedule(state, failed.failure())
            .remaining(failed.callId(), failed.attempt(), failed.failure());
    Instant limit = Deadlines.of(state, settings).hard();
    Instant last = failed.at().plus(left);
    return last.isAfter(limit) ? limit : last;
  }

  private static Instant due(Steps steps, Duration delay) {
    return steps.now().plus(delay).truncatedTo(ChronoUnit.MILLIS);
  }

  private static EpisodeEvent failed(
      Steps steps, PendingCall call, PolicyOutcome.Failed outcome, Optional<Instant> retryAt) {
    return new EpisodeEvent.PolicyCallFailed(
        steps.now(), call.callId(), call.attempt(), outcome.failure(), retryAt,
        Optional.of(outcome.usage()).filter(used -> !used.equals(TokenUsage.NONE)));
  }

  private void toolFinished(Steps steps, EpisodeInput.ToolFinished finished) {
    if (!(inFlight(steps.state(), finished.callId()) instanceof PendingCall.OfTool call)) {
      return;
    }
    switch (finished.outcome()) {
      case ToolOutcome.Found found -> steps.add(Findings.completed(steps, call, found));
      case ToolOutcome.Refused refused ->
          steps.add(
              new EpisodeEvent.ToolCallRefused(steps.now(), call.callId(), refused.reason()));
      case ToolOutcome.Failed failed -> {
        Optional<Instant> retryAt =
            settings
                .toolRetries()
                .delay(call.callId(), call.attempt(), failed.failure())
                .map(delay -> due(steps, delay))
                .filter(at -> at.isBefore(Deadlines.of(steps.state(), settings).explore()));
        steps.add(
            new EpisodeEvent.ToolCallFailed(
                steps.now(), call.callId(), call.attempt(), failed.failure(), retryAt));
        if (retryAt.isPresent()) {
          return;
        }
      }
    }
    steps.askPolicy();
  }

  private static void citationsScored(Steps steps, EpisodeInput.CitationsScored scored) {
    if (inFlight(steps.state(), scored.callId()) instanceof PendingCall.OfCitationCheck call) {
      checked(steps, call, scored.verdicts());
    }
  }

  private static void checked(
      Steps steps, PendingCall.OfCitationCheck call, List<ClaimVerdict> verdicts) {
    steps.add(new EpisodeEvent.CitationsChecked(steps.now(), call.callId(), verdicts));
    Outcomes.complete(steps);
  }

  private static void retryDue(Steps steps, CallId callId) {
    steps
        .state()
        .pending()
        .filter(p -> p.callId().equals(callId))
        .filter(p -> p.retryAt().isPresent() && !p.retryAt().get().isAfter(steps.now()))
        .ifPresent(
            p ->
                steps.add(
                    new EpisodeEvent.CallRetried(steps.now(), callId, p.attempt() + 1)));
  }

  /** A wait that ended while no process was there ends here, before any time limit is looked at. */
  private static void recovered(Steps steps) {
    Optional<PendingCall> pending = steps.state().pending();
    if (pending.filter(p -> p.retryAt().isEmpty()).isPresent()) {
      steps.add(new EpisodeEvent.CallRepeated(steps.now(), pending.get().callId()));
    } else {
      pending.ifPresent(p -> retryDue(steps, p.callId()));
    }
  }

  private void timePassed(Steps steps) {
    EpisodeState state = steps.state();
    if (!state.running()) {
      return;
    }
    Deadlines deadlines = Deadlines.of(state, settings);
    boolean late = !steps.now().isBefore(deadlines.hard());
    if (state.pending().orElse(null) instanceof PendingCall.OfCitationCheck check) {
      if (late) {
        checked(steps, check, List.of());
      }
    } else if (state.finish().isEmpty() && !steps.now().isBefore(deadlines.explore())) {
      stopExploring(steps, FinishCause.SECONDS);
    } else if (state.finish().isPresent() && late) {
      steps.fail(
          "deadline",
          "the policy did not answer within the time limit and its grace; the evidence is kept",
          true);
    }
  }

  private void finish(Steps steps) {
    EpisodeState state = steps.state();
    if (state.running() && state.finish().isEmpty() && !checking(state)) {
      stopExploring(steps, FinishCause.REQUESTED);
    }
  }

  private static boolean checking(EpisodeState state) {
    return state.pending().orElse(null) instanceof PendingCall.OfCitationCheck;
  }

  /** Gives up what is in flight, so that the answer can begin now. */
  private static void stopExploring(Steps steps, FinishCause cause) {
    steps
        .state()
        .pending()
        .ifPresent(
            p -> {
              switch (p) {
                case PendingCall.OfPolicy call ->
                    steps.add(
                        failed(steps, call, new PolicyOutcome.Failed(STOPPED), Optional.empty()));
                case PendingCall.OfTool call ->
                    steps.add(
                        new EpisodeEvent.ToolCallFailed(
                            steps.now(), call.callId(), call.attempt(), STOPPED,
                            Optional.empty()));
                case PendingCall.OfCitationCheck check -> {}
              }
            });
    steps.add(new EpisodeEvent.FinishBegun(steps.now(), cause));
    steps.askPolicy();
  }

  private static void resume(Steps steps, String policy) {
    EpisodeState state = steps.state();
    if (state.status() != EpisodeStatus.FAILED) {
      return;
    }
    steps.add(new EpisodeEvent.EpisodeResumed(steps.now(), policy));
    steps.askPolicy();
  }

  /** The call that waits for this very result; a late or second result finds none. */
  private static @Nullable PendingCall inFlight(EpisodeState state, CallId callId) {
    return state
        .pending()
        .filter(p -> p.callId().equals(callId) && p.retryAt().isEmpty())
        .orElse(null);
  }

  /**
   * The times an episode must keep: when exploration ends, when the last try to answer begins, and
   * when everything ends.
   */
  record Deadlines(Instant explore, Instant limit, Instant hard) {
    /** Ten years: more is no limit, and the arithmetic stays inside what a date can be. */
    private static final long SECONDS_MAX = 10 * 366 * 86_400L;

    static Deadlines of(EpisodeState state, EpisodeSettings settings) {
      Duration limit =
          Duration.ofSeconds(Math.clamp(state.request().limits().seconds(), 0, SECONDS_MAX));
      Duration share = Duration.ofMillis((long) (limit.toMillis() * settings.finishReserve()));
      Duration reserve =
          share.compareTo(settings.finishReserveMax()) > 0 ? settings.finishReserveMax() : share;
      Instant begin = state.clockStart();
      Instant end = begin.plus(limit);
      return new Deadlines(end.minus(reserve), end, end.plus(settings.grace()));
    }
  }
}
