package rubricem.app.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import rubricem.actors.episode.ShortestEpisode;
import rubricem.actors.extractive.ExtractivePolicy;
import rubricem.actors.extractive.ExtractiveSettings;
import rubricem.actors.policy.ScriptedPolicy;
import rubricem.actors.tool.LocalSearch;
import rubricem.gpu.device.DeviceAbsentException;
import rubricem.gpu.device.MemoryKeeping;
import rubricem.gpu.policy.LeastTurn;
import rubricem.gpu.policy.LocalModel;
import rubricem.gpu.policy.LocalPolicy;
import rubricem.gpu.policy.LocalSettings;
import rubricem.http.llm.OpenAiAddress;
import rubricem.http.llm.OpenAiPolicy;
import rubricem.http.llm.OpenAiSettings;
import rubricem.http.llm.Secret;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.port.PolicyCatalog;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.scaffold.FormatLabel;

/** The policies a node can play, made when they are first named. */
public final class NodePolicies implements PolicyCatalog, AutoCloseable {
  public static final String EXTRACTIVE = "extractive";
  private static final String OPENAI = "openai:";
  private static final String SCRIPTED = "scripted:";
  private static final String LOCAL = "local:";

  private final ExtractiveSettings extractive;
  private final OpenAiSettings openai;
  private final Secret openaiKey;
  private final LocalSettings generation;
  private final CompletionStage<Embedder> embedder;
  private final Executor executor;
  private final Clock clock;
  private final Map<String, PolicyModel> made = new ConcurrentHashMap<>();

  /**
   * Turns of the embedded policy are nothing but computing. Each of a thousand at once on a thread
   * of its own leaves those who ask over HTTP half a second behind; so half of the cores have to
   * do.
   */
  private final ExecutorService turns =
      Executors.newFixedThreadPool(
          Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
          Thread.ofPlatform().name("extractive-", 0).daemon().factory());

  public NodePolicies(
      ExtractiveSettings extractive,
      OpenAiSettings openai,
      Secret openaiKey,
      LocalSettings generation,
      CompletionStage<Embedder> embedder,
      Executor executor,
      Clock clock) {
    this.extractive = extractive;
    this.openai = openai;
    this.openaiKey = openaiKey;
    this.generation = generation;
    this.embedder = embedder;
    this.executor = executor;
    this.clock = clock;
  }

  /** Why a specification cannot be used; empty: it can. */
  public static Optional<String> problem(String spec, LocalSettings generation) {
    try {
      if (spec.equals(EXTRACTIVE)) {
        return Optional.empty();
      }
      if (spec.startsWith(OPENAI)) {
        OpenAiAddress.parse(spec);
        return Optional.empty();
      }
      if (spec.startsWith(SCRIPTED)) {
        ScriptFile.read(Path.of(spec.substring(SCRIPTED.length())));
        return Optional.empty();
      }
      if (spec.startsWith(LOCAL)) {
        LocalModel.check(Path.of(spec.substring(LOCAL.length())), generation, shortest());
        return Optional.empty();
      }
    } catch (IOException e) {
      return Optional.of("The local policy cannot be used: " + e.getMessage() + ".");
    } catch (DeviceAbsentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      // without the specification itself: somebody may have written a password into it
      return Optional.of(
          spec.startsWith(OPENAI) || spec.startsWith(LOCAL)
              ? "The policy cannot be used: " + e.getMessage() + "."
              : e.getMessage());
    }
    return Optional.of(
        "The policy \"" + spec + "\" is not one of extractive, openai:BASE_URL#MODEL,"
            + " local:CHECKPOINT_DIR or scripted:FILE.");
  }

  /** The least that a policy of an episode has to read and to say, in the shortest format. */
  private static List<LeastTurn> shortest() {
    PromptResources prompts = new PromptResources();
    String format =
        Arrays.stream(FormatLabel.values())
            .map(label -> prompts.format(label).text())
            .min(Comparator.comparingInt(String::length)).orElseThrow();
    String system =
        prompts.system(PromptResources.described(LocalSearch.NAME, LocalSearch.DESCRIPTION)).text();
    return ShortestEpisode.stages(format, LocalSearch.NAME).stream()
        .map(stage -> new LeastTurn(stage.name(), system, stage.messages(), stage.turn()))
        .toList();
  }

  /** What whoever starts a node with one of these should hear; at most one sentence. */
  public static Optional<String> hint(List<String> specs) {
    return specs.stream().anyMatch(s -> s.startsWith(LOCAL))
        ? MemoryKeeping.missing()
        : Optional.empty();
  }

  @Override
  public Optional<PolicyModel> find(String spec) {
    PolicyModel known = made.get(spec);
    if (known instanceof LocalPolicy local && local.cannotBeOpened()) {
      // whoever mends the folder need not start the node again
      made.remove(spec, local);
    } else if (known != null) {
      return Optional.of(known);
    }
    // a look at a model may take seconds, and an episode asks here: opening it finds the same
    return !spec.startsWith(LOCAL) && problem(spec, generation).isPresent()
        ? Optional.empty()
        : Optional.of(made.computeIfAbsent(spec, this::make));
  }

  private PolicyModel make(String spec) {
    if (spec.startsWith(OPENAI)) {
      return new OpenAiPolicy(
          OpenAiAddress.parse(spec), openaiKey, openai, List.of(), clock);
    }
    if (spec.startsWith(SCRIPTED)) {
      return new ScriptedPolicy(
          spec, ScriptFile.read(Path.of(spec.substring(SCRIPTED.length()))));
    }
    if (spec.startsWith(LOCAL)) {
      return local(spec);
    }
    return new ExtractivePolicy(extractive, embedder, turns);
  }

  private PolicyModel local(String spec) {
    Path folder = Path.of(spec.substring(LOCAL.length()));
    CompletableFuture<LocalModel> loading =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return LocalModel.open(
                    folder, generation, Runtime.getRuntime().availableProcessors());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            executor);
    return new LocalPolicy(spec, loading, generation, executor);
  }

  @Override
  public void close() {
    turns.shutdown();
    for (PolicyModel policy : made.values()) {
      switch (policy) {
        case OpenAiPolicy client -> client.close();
        case LocalPolicy local -> local.close();
        default -> { }
      }
    }
  }
}
