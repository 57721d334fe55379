package rubricem.actors.episode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EventLog;
import rubricem.protocol.episode.PromptRef;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.StorageUnavailable;
import rubricem.protocol.port.Tool;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.scaffold.FormatLabel;

/** Ports that hold every call until the test answers it. */
final class FakePorts {
  private static final long PATIENCE_SECONDS = 20;

  /** A call of the policy that waits for the test. */
  record Generation(
      PolicyRequest request, GenerationWatcher watcher, CompletableFuture<PolicyOutcome> outcome) {
    void says(String text) {
      outcome.complete(
          new PolicyOutcome.Generated(
              text, Optional.empty(), FinishReason.STOP, new TokenUsage(100, 50, 0), "v1"));
    }

    void fails(CallFailure failure) {
      outcome.complete(new PolicyOutcome.Failed(failure));
    }
  }

  record Search(ToolRequest request, CompletableFuture<ToolOutcome> outcome) {
    void finds(Passage... passages) {
      outcome.complete(
          new ToolOutcome.Found(
              List.of(passages), new Searched(1, 1, List.of()), List.of()));
    }
  }

  final BlockingQueue<Generation> generations = new LinkedBlockingQueue<>();
  final BlockingQueue<Search> searches = new LinkedBlockingQueue<>();
  final BlockingQueue<CompletableFuture<List<ClaimVerdict>>> checks = new LinkedBlockingQueue<>();
  final BlockingQueue<CallId> cancelled = new LinkedBlockingQueue<>();
  volatile Supplier<List<Tool>> tools = () -> List.of(new HeldTool());
  volatile Runnable beforePolicy = () -> {};
  volatile Runnable beforeTool = () -> {};
  volatile Runnable beforeCheck = () -> {};
  volatile Duration ahead = Duration.ZERO;
  volatile EventLog log = (id, after, limit) -> CompletableFuture.completedStage(List.of());

  /** Whether the documents cannot be read now. */
  volatile boolean unreadable;

  EpisodePorts ports() {
    return new EpisodePorts(
        spec -> spec.equals("unknown") ? Optional.empty() : Optional.of(new HeldPolicy(spec)),
        request -> tools.get(),
        answer -> {
          beforeCheck.run();
          return held(checks, new CompletableFuture<>());
        },
        (id, after, limit) -> log.read(id, after, limit),
        new FixedPrompts(),
        request -> searched(),
        () -> Instant.now().plus(ahead));
  }

  private Searched searched() {
    if (unreadable) {
      throw new StorageUnavailable("the index in /somewhere is damaged") {};
    }
    return new Searched(1, 1, List.of());
  }

  private static <T> CompletableFuture<T> held(
      BlockingQueue<CompletableFuture<T>> queue, CompletableFuture<T> call) {
    queue.add(call);
    return call;
  }

  static <T> T next(BlockingQueue<T> queue) {
    try {
      T next = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing came");
      }
      return next;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Generation generation() {
    return next(generations);
  }

  Search search() {
    return next(searches);
  }

  CompletableFuture<List<ClaimVerdict>> check() {
    return next(checks);
  }

  /** Blocks its caller for longer than any test lasts. */
  static void hang() {
    try {
      TimeUnit.HOURS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The log of what {@code stored} gives, in pages of {@code page} events. */
  static EventLog paged(Supplier<List<EventStored>> stored, int page) {
    return new EventLog() {
      @Override
      public CompletionStage<List<EventStored>> read(EpisodeId id, long after, int limit) {
        return CompletableFuture.supplyAsync(
            () ->
                stored.get().stream()
                    .filter(e -> e.sequence() > after)
                    .limit(Math.min(page, limit))
                    .toList());
      }
    };
  }

  private final class HeldPolicy implements PolicyModel {
    private final String spec;

    HeldPolicy(String spec) {
      this.spec = spec;
    }

    @Override
    public String spec() {
      return spec;
    }

    @Override
    public CompletionStage<PolicyOutcome> generate(
        PolicyRequest request, GenerationWatcher watcher) {
      Generation generation = new Generation(request, watcher, new CompletableFuture<>());
      generations.add(generation);
      beforePolicy.run();
      return generation.outcome();
    }

    @Override
    public void cancel(CallId callId) {
      cancelled.add(callId);
    }
  }

  private final class HeldTool implements Tool {
    @Override
    public String name() {
      return Talk.TOOL;
    }

    @Override
    public String description() {
      return "searches";
    }

    @Override
    public CompletionStage<ToolOutcome> call(ToolRequest request) {
      Search search = new Search(request, new CompletableFuture<>());
      searches.add(search);
      beforeTool.run();
      return search.outcome();
    }
  }

  private static final class FixedPrompts implements EpisodePorts.Prompts {
    @Override
    public EpisodePorts.Prompt system(List<Tool> tools) {
      return new EpisodePorts.Prompt(new PromptRef("agent-v1", "00"), "You research.");
    }

    @Override
    public EpisodePorts.Prompt format(FormatLabel format) {
      return new EpisodePorts.Prompt(new PromptRef("format-v1", "00"), "Be short.");
    }
  }
}
