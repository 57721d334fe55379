package rubricem.actors.extractive;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.scaffold.ScaffoldPrinter;
import rubricem.protocol.scaffold.Turn;

/**
 * The policy that needs no model and no key: it splits the question, searches part by part, and
 * answers with sentences of the passages found. It keeps nothing between turns; the same request
 * gives the same turn. Text of passages is quoted, never obeyed. With an embedder it also compares
 * meanings, and asks for the same vectors again in every turn, so the embedder should keep them;
 * without one, or where it fails, it goes by words.
 */
public final class ExtractivePolicy implements PolicyModel {
  public static final String SPEC = "extractive";

  private static final String VERSION = "extractive-1";

  /** Roughly, for the record: no tokenizer is at hand and nothing is billed. */
  private static final int CHARS_PER_TOKEN = 4;

  private final ExtractiveSettings settings;
  private final CompletionStage<Embedder> embedder;
  private final Executor executor;

  /**
   * @param embedder completes when the model is loaded; may fail or never complete
   * @param executor where turns are computed; a few threads are enough
   */
  public ExtractivePolicy(
      ExtractiveSettings settings, CompletionStage<Embedder> embedder, Executor executor) {
    this.settings = settings;
    this.embedder = embedder;
    this.executor = executor;
  }

  @Override
  public String spec() {
    return SPEC;
  }

  @Override
  public CompletionStage<PolicyOutcome> generate(
      PolicyRequest request, GenerationWatcher watcher) {
    return CompletableFuture.supplyAsync(() -> new Deliberation(settings, request), executor)
        .thenCompose(d -> turn(d, d.texts()))
        .thenApply(turn -> generated(request, turn, watcher));
  }

  private CompletionStage<Turn> turn(Deliberation deliberation, List<String> texts) {
    return known(texts).thenComposeAsync(likeness -> switch (deliberation.decide(likeness)) {
      case Deliberation.Decided decided -> CompletableFuture.completedFuture(decided.turn());
      case Deliberation.Undecided undecided ->
          known(undecided.texts())
              .thenApplyAsync(more -> deliberation.answer(undecided, more), executor);
    }, executor);
  }

  /** Never fails: what could not be computed in time is unknown. */
  private CompletionStage<Likeness> known(List<String> texts) {
    List<String> asked = List.copyOf(new LinkedHashSet<>(texts));
    if (asked.isEmpty()) {
      return CompletableFuture.completedFuture(Likeness.NONE);
    }
    List<String> said = asked.stream().map(TableLines::withoutBars).toList();
    return embedder.thenCompose(e -> e.embed(said)).toCompletableFuture()
        .copy()
        .orTimeout(settings.embedWait().toMillis(), TimeUnit.MILLISECONDS)
        .handle((computed, failure) -> {
          Map<String, float[]> known = new HashMap<>();
          for (int i = 0; failure == null && i < asked.size() && i < computed.size(); i++) {
            known.put(asked.get(i), computed.get(i));
          }
          return failure == null ? new Likeness(known) : Likeness.NONE;
        });
  }

  private static PolicyOutcome generated(
      PolicyRequest request, Turn turn, GenerationWatcher watcher) {
    String text = ScaffoldPrinter.print(turn);
    watcher.onText(text);
    long read = request.messages().stream().mapToLong(m -> m.text().length()).sum();
    TokenUsage usage =
        new TokenUsage(read / CHARS_PER_TOKEN, text.length() / CHARS_PER_TOKEN, 0);
    return new PolicyOutcome.Generated(
        text, Optional.empty(), FinishReason.STOP, usage, VERSION);
  }
}
