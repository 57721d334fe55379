package rubricem.gpu.policy;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.gpu.generate.Finish;
import rubricem.gpu.generate.Generation;
import rubricem.gpu.generate.GenerationRequest;
import rubricem.gpu.generate.Generator;
import rubricem.gpu.generate.QueueFull;
import rubricem.gpu.generate.Sampling;
import rubricem.protocol.CallId;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.TokenUsage;

/**
 * The policy of a model folder on this machine. Every failure is a typed outcome and none is
 * repeated here. The turns of an episode share what was computed for its history. Thread safe.
 */
public final class LocalPolicy implements PolicyModel, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalPolicy.class);

  private record Running(Generator.Ticket ticket, AtomicBoolean late) {}

  private final String spec;
  private final CompletableFuture<LocalModel> loading;
  private final LocalSettings settings;
  private final Executor executor;
  private final SampledTurns turns;
  private final Map<CallId, Set<Running>> running = new ConcurrentHashMap<>();

  /**
   * @param loading the model, which is closed with this
   * @param executor where prompts are encoded and results are told: never a thread that decodes
   */
  public LocalPolicy(
      String spec, CompletableFuture<LocalModel> loading, LocalSettings settings,
      Executor executor) {
    this.spec = spec;
    this.loading = loading;
    this.settings = settings;
    this.executor = executor;
    turns = new SampledTurns(settings.rememberedTokens());
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public CompletionStage<PolicyOutcome> generate(PolicyRequest request, GenerationWatcher watcher) {
    return loading
        .thenComposeAsync(
            model -> {
              int[] prompt = new TurnPrompt(model.tokenizer().conversing(), turns).tokens(request);
              return draw(model, request, prompt, watcher);
            },
            executor)
        .exceptionally(
            error -> {
              LOG.error("call {} of {} failed", request.callId(), spec, error);
              return terminal("model", "the local model cannot be used: " + reason(error));
            });
  }

  /** Every call fails, because the model could not be opened. */
  public boolean cannotBeOpened() {
    return loading.isCompletedExceptionally();
  }

  /** Futures and streams wrap what happened; their own messages begin with names of classes. */
  private static String reason(Throwable error) {
    Throwable inner = error;
    while ((inner instanceof CompletionException || inner instanceof UncheckedIOException)
        && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return String.valueOf(inner.getMessage());
  }

  private CompletionStage<PolicyOutcome> draw(
      LocalModel model, PolicyRequest request, int[] prompt, GenerationWatcher watcher) {
    if (prompt.length >= model.generator().context()) {
      return CompletableFuture.completedFuture(
          terminal(
              "context_length",
              "the history has " + prompt.length + " tokens and the context is "
                  + model.generator().contextWords()));
    }
    TurnText text = new TurnText(model.tokenizer().bytes(), watcher);
    Generator.Ticket ticket;
    try {
      ticket =
          model.generator()
              .submit(
                  new GenerationRequest(
                      prompt, request.maxTokens(), sampling(request), model.turnStopIds(),
                      text));
    } catch (QueueFull e) {
      return CompletableFuture.completedFuture(
          new PolicyOutcome.Failed(
              new CallFailure.Transient("unavailable", e.getMessage(), Optional.empty())));
    }
    Running entry = new Running(ticket, new AtomicBoolean());
    running.computeIfAbsent(request.callId(), id -> ConcurrentHashMap.newKeySet()).add(entry);
    CompletableFuture.delayedExecutor(
            request.timeout().toMillis(), TimeUnit.MILLISECONDS, executor)
        .execute(
            () -> {
              entry.late().set(true);
              ticket.cancel();
            });
    return ticket.result()
        .thenApplyAsync(result -> outcome(request, entry, text, result), executor);
  }

  /** A repeat after a failure must be able to come out differently. */
  private Sampling sampling(PolicyRequest request) {
    long seed = request.seed() * 1_000_003 + request.earlier() * 31L + request.attempt();
    return new Sampling(settings.temperature(), settings.topK(), settings.topP(), seed);
  }

  private PolicyOutcome outcome(
      PolicyRequest request, Running entry, TurnText text, Generation result) {
    running.computeIfPresent(
        request.callId(),
        (id, all) -> {
          all.remove(entry);
          return all.isEmpty() ? null : all;
        });
    TokenUsage usage = new TokenUsage(result.promptTokens(), result.ids().length, 0);
    return switch (result.finish()) {
      case Finish.StopToken stop -> generated(request, text, result, FinishReason.STOP, usage);
      case Finish.StopText stop -> generated(request, text, result, FinishReason.STOP, usage);
      case Finish.MaxTokens full -> generated(request, text, result, FinishReason.LENGTH, usage);
      case Finish.CacheFull full -> generated(request, text, result, FinishReason.LENGTH, usage);
      case Finish.Cancelled cancelled ->
          new PolicyOutcome.Failed(
              entry.late().get()
                  ? new CallFailure.Transient(
                      "timeout",
                      "the local model did not end within " + request.timeout().toSeconds() + " s",
                      Optional.empty())
                  : new CallFailure.Terminal("cancelled", "the generation was cancelled"),
              usage);
      case Finish.Failed failed -> new PolicyOutcome.Failed(failure(failed), usage);
    };
  }

  private PolicyOutcome generated(
      PolicyRequest request, TurnText text, Generation result, FinishReason finish,
      TokenUsage usage) {
    String turn = text.finish();
    int written = result.ids().length - (result.finish() instanceof Finish.StopToken ? 1 : 0);
    turns.remember(request.episode(), turn, Arrays.copyOf(result.ids(), written));
    return new PolicyOutcome.Generated(
        turn, Optional.empty(), finish, usage, "version " + result.version());
  }

  private static CallFailure failure(Finish.Failed failed) {
    return switch (failed.kind()) {
      case "closed" -> new CallFailure.Terminal("cancelled", failed.message());
      // the same numbers would come out again
      case "not_finite" -> new CallFailure.Terminal(failed.kind(), failed.message());
      default ->
          new CallFailure.Transient(failed.kind(), failed.message(), Optional.empty());
    };
  }

  private static PolicyOutcome terminal(String kind, String message) {
    return new PolicyOutcome.Failed(new CallFailure.Terminal(kind, message));
  }

  @Override
  public void cancel(CallId callId) {
    running.getOrDefault(callId, Set.of()).forEach(entry -> entry.ticket().cancel());
  }

  /** Waits for a model that is being read: it cannot be stopped half-way. */
  @Override
  public void close() {
    loading.handle((model, failure) -> {
      if (model != null) {
        model.close();
      }
      return true;
    }).join();
  }
}
