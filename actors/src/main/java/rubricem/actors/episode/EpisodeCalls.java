package rubricem.actors.episode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.episode.EpisodeTexts;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.Tool;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;
import rubricem.protocol.report.CitationBinding;
import rubricem.protocol.report.ClaimVerdict;

/**
 * Makes the pending call of a state and turns whatever comes of it into an input. A port that
 * throws, blocks, fails or never answers becomes a typed failure here, so that the episode always
 * hears and is never held up. A check of citations has no failure: what it did not do in time stays
 * unchecked.
 */
final class EpisodeCalls {
  /** A port keeps its own time-out; ours comes later and catches one that does not. */
  private static final Duration GUARD = Duration.ofSeconds(5);

  /** A thread of its own for each call: a port may block before it returns its stage. */
  private static final Executor THREADS = Thread.ofVirtual().name("episode-call")::start;

  private static final Logger LOG = LoggerFactory.getLogger(EpisodeCalls.class);

  private final EpisodePorts ports;
  private final EpisodeSettings settings;
  private final Duration guard;
  private final ShownReplies shown = new ShownReplies();

  EpisodeCalls(EpisodePorts ports, EpisodeSettings settings) {
    this(ports, settings, GUARD);
  }

  EpisodeCalls(EpisodePorts ports, EpisodeSettings settings, Duration guard) {
    this.ports = ports;
    this.settings = settings;
    this.guard = guard;
  }

  /** The stage never fails. */
  CompletionStage<EpisodeInput> make(
      EpisodeState state, PendingCall pending, GenerationWatcher watcher) {
    return switch (pending) {
      case PendingCall.OfPolicy call ->
          guarded(
              () -> policy(state, call, watcher), settings.policyTimeout(),
              PolicyOutcome.Failed::new,
              outcome -> new EpisodeInput.PolicyFinished(call.callId(), outcome),
              () -> cancel(state, call));
      case PendingCall.OfTool call ->
          guarded(
              () -> tool(state, call), settings.toolTimeout(), ToolOutcome.Failed::new,
              outcome -> new EpisodeInput.ToolFinished(call.callId(), outcome), () -> {});
      case PendingCall.OfCitationCheck call ->
          guarded(
              () -> check(state), settings.toolTimeout(), failure -> List.of(),
              verdicts -> new EpisodeInput.CitationsScored(call.callId(), verdicts), () -> {});
    };
  }

  /** Makes itself small while the episode waits. */
  void pack() {
    shown.forget();
  }

  /** Lets the port stop what nobody waits for any more. */
  void cancel(EpisodeState state, PendingCall pending) {
    if (pending instanceof PendingCall.OfPolicy) {
      THREADS.execute(
          () -> ports.policies().find(state.policy()).ifPresent(p -> p.cancel(pending.callId())));
    }
  }

  private CompletionStage<List<ClaimVerdict>> check(EpisodeState state) {
    String answer = EpisodeTexts.answer(state).orElse("");
    return ports.checker().check(CitationBinding.bind(answer, state.evidence()));
  }

  private CompletionStage<PolicyOutcome> policy(
      EpisodeState state, PendingCall.OfPolicy call, GenerationWatcher watcher) {
    Optional<PolicyModel> policy = ports.policies().find(state.policy());
    if (policy.isEmpty()) {
      return CompletableFuture.completedStage(
          new PolicyOutcome.Failed(
              new CallFailure.Terminal(
                  "unknown_policy",
                  "this node has no policy \"" + state.policy() + "\"; name another one with"
                      + " --policy")));
    }
    return policy.get().generate(request(state, call), watcher);
  }

  private PolicyRequest request(EpisodeState state, PendingCall.OfPolicy call) {
    var request = state.request();
    Map<String, Tool> tools = ports.tools(request);
    return new PolicyRequest(
        call.callId(), state.id(), call.attempt(), request.question(), request.format(),
        ports.prompts().system(List.copyOf(tools.values())).text(),
        PromptAssembly.messages(
            state, ports.prompts().format(request.format()).text(), call.leftOut(), shown),
        state.toolCallsLeft(), settings.maxTokens(), request.seed(), settings.policyTimeout(),
        state.usage().modelCalls());
  }

  private CompletionStage<ToolOutcome> tool(EpisodeState state, PendingCall.OfTool call) {
    Tool tool = ports.tools(state.request()).get(call.call().tool());
    if (tool == null) {
      return CompletableFuture.completedStage(
          new ToolOutcome.Failed(
              new CallFailure.Terminal(
                  "unknown_tool", "this node has no tool " + call.call().tool())));
    }
    return tool.call(
        new ToolRequest(call.callId(), state.id(), call.call(), settings.toolTimeout()));
  }

  private <T> CompletionStage<EpisodeInput> guarded(
      Supplier<CompletionStage<T>> call,
      Duration timeout,
      Function<CallFailure, T> failed,
      Function<T, EpisodeInput> input,
      Runnable givenUp) {
    return CompletableFuture.supplyAsync(call, THREADS)
        .thenCompose(stage -> stage)
        .thenApply(Objects::requireNonNull)
        .orTimeout(timeout.plus(guard).toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            e -> {
              givenUp.run();
              return failed.apply(failure(e));
            })
        .thenApply(input);
  }

  private static CallFailure failure(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return new CallFailure.Transient("timeout", "the call did not end in time", Optional.empty());
    }
    LOG.warn("a call failed that should have said why", cause);
    return new CallFailure.Terminal(
        "defect", "the call failed inside RubricEM: " + cause.getClass().getSimpleName());
  }
}
