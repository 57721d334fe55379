package rubricem.actors.episode;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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

/**
 * Makes the pending call of a state and turns whatever comes of it into an input. A port that
 * throws, fails or never answers becomes a typed failure here, so that the episode always hears.
 */
final class EpisodeCalls {
  /** A port keeps its own time-out; ours comes later and catches one that does not. */
  private static final Duration GUARD = Duration.ofSeconds(5);

  private final EpisodePorts ports;
  private final EpisodeSettings settings;

  EpisodeCalls(EpisodePorts ports, EpisodeSettings settings) {
    this.ports = ports;
    this.settings = settings;
  }

  CompletionStage<EpisodeInput> make(
      EpisodeState state, PendingCall pending, GenerationWatcher watcher) {
    return switch (pending) {
      case PendingCall.OfPolicy call -> policy(state, call, watcher);
      case PendingCall.OfTool call -> tool(state, call);
      case PendingCall.OfCitationCheck call ->
          ports
              .checker()
              .check(
                  CitationBinding.bind(
                      EpisodeTexts.answer(state).orElse(""), state.evidence()))
              .thenApply(verdicts -> new EpisodeInput.CitationsScored(call.callId(), verdicts));
    };
  }

  void cancel(EpisodeState state, PendingCall pending) {
    if (pending instanceof PendingCall.OfPolicy) {
      ports.policies().find(state.policy()).ifPresent(p -> p.cancel(pending.callId()));
    }
  }

  private CompletionStage<EpisodeInput> policy(
      EpisodeState state, PendingCall.OfPolicy call, GenerationWatcher watcher) {
    Optional<PolicyModel> policy = ports.policies().find(state.policy());
    CompletionStage<PolicyOutcome> outcome =
        policy.isEmpty()
            ? CompletableFuture.completedStage(
                new PolicyOutcome.Failed(
                    new CallFailure.Terminal(
                        "unknown_policy",
                        "this node has no policy \"" + state.policy() + "\"; name it with"
                            + " --policy")))
            : guarded(
                () -> policy.get().generate(request(state, call), watcher),
                settings.policyTimeout(),
                PolicyOutcome.Failed::new);
    return outcome.thenApply(o -> new EpisodeInput.PolicyFinished(call.callId(), o));
  }

  private PolicyRequest request(EpisodeState state, PendingCall.OfPolicy call) {
    var request = state.request();
    Map<String, Tool> tools = ports.tools(request);
    return new PolicyRequest(
        call.callId(), state.id(), call.attempt(), request.question(), request.format(),
        ports.prompts().system(java.util.List.copyOf(tools.values())).text(),
        PromptAssembly.messages(
            state, ports.prompts().format(request.format()).text(), call.leftOut()),
        state.toolCallsLeft(), settings.maxTokens(), request.seed(), settings.policyTimeout());
  }

  private CompletionStage<EpisodeInput> tool(EpisodeState state, PendingCall.OfTool call) {
    Tool tool = ports.tools(state.request()).get(call.call().tool());
    CompletionStage<ToolOutcome> outcome =
        tool == null
            ? CompletableFuture.completedStage(
                new ToolOutcome.Failed(
                    new CallFailure.Terminal(
                        "unknown_tool", "this node has no tool " + call.call().tool())))
            : guarded(
                () ->
                    tool.call(
                        new ToolRequest(
                            call.callId(), state.id(), call.call(), settings.toolTimeout())),
                settings.toolTimeout(),
                ToolOutcome.Failed::new);
    return outcome.thenApply(o -> new EpisodeInput.ToolFinished(call.callId(), o));
  }

  private static <T> CompletionStage<T> guarded(
      Supplier<CompletionStage<T>> call,
      Duration timeout,
      java.util.function.Function<CallFailure, T> failed) {
    CompletionStage<T> stage;
    try {
      stage = call.get();
    } catch (RuntimeException e) {
      return CompletableFuture.completedStage(failed.apply(defect(e)));
    }
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      return future;
    }
    return future
        .copy()
        .orTimeout(timeout.plus(GUARD).toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(e -> failed.apply(failure(e)));
  }

  private static CallFailure failure(Throwable thrown) {
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    return thrown instanceof TimeoutException || cause instanceof TimeoutException
        ? new CallFailure.Transient("timeout", "the call did not end in time", Optional.empty())
        : defect(cause);
  }

  private static CallFailure defect(Throwable thrown) {
    return new CallFailure.Terminal(
        "defect", "the call failed inside RubricEM: " + thrown.getClass().getSimpleName());
  }
}
