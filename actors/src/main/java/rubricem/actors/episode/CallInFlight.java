package rubricem.actors.episode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import rubricem.actors.episode.PrivateMessage.InputCame;
import rubricem.actors.episode.PrivateMessage.LookAtWait;
import rubricem.actors.episode.PrivateMessage.TextCame;
import rubricem.actors.episode.PrivateMessage.TurnVoid;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.port.GenerationWatcher;

/**
 * The one call an episode has in flight, and its timers. A state's pending call is made when it is
 * not in flight already, given up when the state no longer wants it, and made again at the hour the
 * state names. What comes of it goes to the episode as a message. Used on the actor's thread only.
 */
final class CallInFlight {
  /** An episode that waits longer for one call makes itself small meanwhile. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(2);

  private final ActorContext<EpisodeCommand> context;
  private final TimerScheduler<EpisodeCommand> timers;
  private final EpisodeDecider decider;
  private final EpisodeCalls calls;
  private final EpisodeWatchers watchers;
  private final InstantSource clock;

  /** Read by the threads of policies: text for nobody is not sent. */
  private final AtomicBoolean watched = new AtomicBoolean();

  private Optional<PendingCall> inFlight = Optional.empty();

  /** The call that the last process left; made again only once that is an event. */
  private Optional<PendingCall> unrepeated = Optional.empty();

  private Optional<Instant> wake = Optional.empty();

  CallInFlight(
      ActorContext<EpisodeCommand> context, TimerScheduler<EpisodeCommand> timers,
      EpisodeDecider decider, EpisodeCalls calls, EpisodeWatchers watchers, InstantSource clock) {
    this.context = context;
    this.timers = timers;
    this.decider = decider;
    this.calls = calls;
    this.watchers = watchers;
    this.clock = clock;
  }

  /** Also after a failed write, with this same object: the call may still be in flight. */
  void recovered(EpisodeState state) {
    wake = Optional.empty(); // a restart has cancelled every timer
    if (state.running()) {
      unrepeated = state.pending().filter(p -> inFlight.filter(c -> same(p, c)).isEmpty());
    }
  }

  /** Takes note of what {@code input} means for the call. */
  void came(EpisodeInput input) {
    if (input == EpisodeInput.Recovered.INPUT) {
      unrepeated = Optional.empty();
    }
    Optional<CallId> answered = input.answers();
    inFlight = inFlight.filter(call -> !answered.equals(Optional.of(call.callId())));
    if (input == EpisodeInput.TimePassed.INPUT) {
      wake = Optional.empty();
    }
  }

  /** After a failed write the process is there still, and so is the call: nothing to repeat. */
  boolean stillMade(EpisodeState state, EpisodeInput input) {
    return input == EpisodeInput.Recovered.INPUT
        && inFlight.isPresent()
        && state.pending().filter(p -> same(p, inFlight.get())).isPresent();
  }

  void watched(boolean any) {
    watched.set(any);
  }

  void giveUp(EpisodeState state) {
    inFlight.ifPresent(call -> calls.cancel(state, call));
  }

  /** Makes the pending call unless it is being made, and gives up one that is no longer wanted. */
  void act(EpisodeState state) {
    Optional<PendingCall> wanted =
        state.running() ? state.pending().filter(p -> p.retryAt().isEmpty()) : Optional.empty();
    inFlight
        .filter(call -> wanted.map(w -> !same(w, call)).orElse(true))
        .ifPresent(
            call -> {
              calls.cancel(state, call);
              inFlight = Optional.empty();
            });
    boolean counted =
        wanted.isPresent() && unrepeated.filter(left -> same(left, wanted.get())).isEmpty();
    if (counted && inFlight.isEmpty()) {
      inFlight = wanted;
      make(state, wanted.get());
      if (!timers.isTimerActive("wait")) {
        timers.startSingleTimer("wait", new LookAtWait(wanted.get().callId()), LONG_WAIT);
      }
    }
    state.pending().flatMap(PendingCall::retryAt).ifPresent(at -> waitFor(state, at));
    setWake(decider.wake(state));
  }

  /** The time moves once or twice in an episode; a timer for each event would cost more than it. */
  private void setWake(Optional<Instant> next) {
    if (!next.equals(wake)) {
      wake = next;
      next.ifPresentOrElse(
          at -> timer("wake", at, new InputCame(EpisodeInput.TimePassed.INPUT)),
          () -> timers.cancel("wake"));
    }
  }

  /** One look at the start of each wait: a call still in flight at the next is a slow one. */
  void onLookAtWait(EpisodeState state, CallId seen) {
    inFlight.ifPresent(
        call -> {
          if (call.callId().equals(seen)) {
            state.history().pack();
            calls.pack();
          } else {
            timers.startSingleTimer("wait", new LookAtWait(call.callId()), LONG_WAIT);
          }
        });
  }

  private static boolean same(PendingCall one, PendingCall other) {
    return one.callId().equals(other.callId()) && one.attempt() == other.attempt();
  }

  private void make(EpisodeState state, PendingCall call) {
    context.pipeToSelf(
        calls.make(state, call, watcherOf(call.callId())),
        (input, failure) -> new InputCame(input));
  }

  private GenerationWatcher watcherOf(CallId callId) {
    ActorRef<EpisodeCommand> self = context.getSelf();
    return new GenerationWatcher() {
      @Override
      public void onText(String delta) {
        if (watched.get()) {
          self.tell(new TextCame(callId, delta));
        }
      }

      @Override
      public void onRestart(String reason) {
        if (watched.get()) {
          self.tell(new TurnVoid(callId, reason));
        }
      }
    };
  }

  private void waitFor(EpisodeState state, Instant until) {
    PendingCall call = state.pending().orElseThrow();
    watchers.progress(
        new EpisodeProgress.Waiting(call.callId(), "the call failed and is tried again", until));
    timer("retry", until, new InputCame(new EpisodeInput.RetryDue(call.callId())));
  }

  private void timer(String key, Instant at, EpisodeCommand message) {
    Duration delay = Duration.between(clock.instant(), at);
    timers.startSingleTimer(
        key, message, delay.isNegative() ? Duration.ofMillis(1) : delay.plusMillis(1));
  }
}
