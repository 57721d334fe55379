package rubricem.http.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import rubricem.http.server.Edge;
import rubricem.http.server.JsonFields;
import rubricem.http.server.Problem;
import rubricem.http.server.research.EpisodeLookup;
import rubricem.http.server.research.StoredStory;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.StorageUnavailable;

/**
 * The four tools. None of them takes longer than hosts wait: research is started by one call and
 * asked for by others, so a call that is cut off loses nothing. What goes wrong is an error result.
 */
final class McpTools {
  private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);
  private static final ObjectMapper PLAIN = new ObjectMapper();
  private static final int PASSAGES = 8;

  /** Longer than any search and any command takes; with it a call ends within 30 s. */
  private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(25);

  /** Leaves the call itself its time. */
  private static final Duration DECIDED_PATIENCE = Duration.ofSeconds(20);

  @FunctionalInterface
  private interface Call {
    CompletionStage<CallToolResult> run(JsonNode arguments, String session);
  }

  private final Edge edge;
  private final McpDoorSettings settings;
  private final Supplier<Corpus> corpus;
  private final StartedOnce starting;
  private final EpisodeLookup lookup;
  private final StoredStory stories;
  private final Duration decidedWithin;

  McpTools(Edge edge, McpDoorSettings settings, Supplier<Corpus> corpus) {
    this.edge = edge;
    this.settings = settings;
    this.corpus = corpus;
    this.starting = new StartedOnce(edge, settings.retryWindow());
    this.lookup = new EpisodeLookup(edge);
    this.stories = new StoredStory(edge);
    this.decidedWithin =
        settings.waitMax().compareTo(DECIDED_PATIENCE) < 0 ? settings.waitMax() : DECIDED_PATIENCE;
  }

  List<AsyncToolSpecification> all() {
    return List.of(
        tool(
            "start_research", "Start a research episode",
            "Researches a question in the documents and writes a cited report. Returns an id at"
                + " once; get_research gives the report.",
            ToolArguments.startSchema(edge.offer()), hints(false, false, true), this::start),
        tool(
            "get_research", "Wait for a research episode",
            "Waits for an episode and gives its report, or says how far it is. Call it again while"
                + " it runs.",
            ToolArguments.getSchema(settings.waitMax().toSeconds()), hints(true, false, true),
            this::get),
        tool(
            "cancel_research", "Cancel a research episode",
            "Ends an episode that runs; it will have no report.", ToolArguments.idSchema(),
            hints(false, true, true), this::cancel),
        tool(
            "search_corpus", "Search the documents",
            "Finds passages in the documents, by words and by meaning, without research.",
            ToolArguments.searchSchema(settings.passagesMax(), edge.offer().questionCharsMax()),
            hints(true, false, true),
            this::search));
  }

  private static ToolAnnotations hints(boolean reads, boolean destroys, boolean idempotent) {
    return ToolAnnotations.builder().readOnlyHint(reads).destructiveHint(destroys)
        .idempotentHint(idempotent).openWorldHint(false).build();
  }

  private AsyncToolSpecification tool(
      String name, String title, String description, Map<String, Object> schema,
      ToolAnnotations hints, Call call) {
    Tool tool =
        Tool.builder(name, schema).title(title).description(description).annotations(hints)
            .build();
    return new AsyncToolSpecification(
        tool,
        (context, request) -> {
          Object session = context.get(McpSession.HEADER);
          Map<String, Object> arguments =
              request.arguments() == null ? Map.of() : request.arguments();
          return Mono.fromCompletionStage(
              () -> answered(
                  name, call, PLAIN.valueToTree(arguments),
                  session == null ? "" : session.toString()));
        });
  }

  private CompletionStage<CallToolResult> answered(
      String name, Call call, JsonNode arguments, String session) {
    CompletionStage<CallToolResult> begun;
    try {
      begun = call.run(arguments, session);
    } catch (RuntimeException e) {
      begun = CompletableFuture.failedStage(e);
    }
    return begun.exceptionally(failure -> ToolText.problem(problem(name, failure)));
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private Problem problem(String name, Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof Problem.Refusal refusal) {
      return ToolWords.of(refusal.problem());
    }
    if (cause instanceof java.util.concurrent.TimeoutException) {
      return Problem.of(Problem.Kind.TOO_SLOW, "Call it again; nothing happens twice.");
    }
    if (cause instanceof StorageUnavailable) {
      LOG.error("the tool {} needs the database: {}", name, cause.getMessage());
      return Problem.storageUnavailable(edge.readiness().trouble());
    }
    LOG.error("the tool {} failed", name, cause);
    return Problem.of(
        Problem.Kind.DEFECT, "The log of the server has the details; please report it.");
  }

  private CompletionStage<CallToolResult> start(JsonNode arguments, String session) {
    ToolArguments.Start asked = ToolArguments.start(arguments, edge.offer());
    return within(onceDecided(() -> starting.start(asked, session)))
        .thenApply(started -> ToolText.started(started.view()));
  }

  /**
   * A host calls as soon as it is connected, when the documents are being read still; it and the
   * model behind it know nothing better to do than to wait. What needs no documents never waits.
   */
  private <T> CompletionStage<T> onceDecided(Supplier<CompletionStage<T>> call) {
    return CompletableFuture.completedStage(null)
        .thenCompose(now -> call.get())
        .exceptionallyCompose(
            failure ->
                isNotReady(failure)
                    ? decided().thenCompose(decided -> call.get())
                    : CompletableFuture.failedStage(failure));
  }

  private CompletionStage<Void> decided() {
    return edge.readiness().decided().toCompletableFuture()
        .completeOnTimeout(null, decidedWithin.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static boolean isNotReady(Throwable failure) {
    return cause(failure) instanceof Problem.Refusal refusal
        && refusal.problem().kind() == Problem.Kind.NOT_READY;
  }

  private CompletionStage<CallToolResult> get(JsonNode arguments, String session) {
    JsonFields fields = JsonFields.arguments(arguments, Set.of("id", "wait_seconds", "offset"));
    EpisodeId id = id(fields);
    long most = settings.waitMax().toSeconds();
    Duration wait = Duration.ofSeconds(fields.whole("wait_seconds", 0, most).orElse(most));
    int offset = fields.whole("offset", 0, Integer.MAX_VALUE).orElse(0L).intValue();
    return lookup.stored(id)
        .thenCompose(
            view ->
                view.status().ended()
                    ? CompletableFuture.completedStage(ended(view, offset))
                    : stories.ended(id, wait)
                        .thenCompose(
                            end ->
                                end.isPresent()
                                    ? CompletableFuture.completedStage(ended(end.get(), offset))
                                    : lookup.stored(id).thenApply(ToolText::running)));
  }

  private CallToolResult ended(EpisodeView view, int offset) {
    return ToolText.ended(view, offset, settings.reportCharsMax());
  }

  private CompletionStage<CallToolResult> cancel(JsonNode arguments, String session) {
    EpisodeId id = id(JsonFields.arguments(arguments, Set.of("id")));
    return within(
        lookup.stored(id)
            .thenCompose(
                view ->
                    view.status().ended()
                        ? CompletableFuture.completedStage(view)
                        : edge.ports().episodes().cancel(id))
            .thenApply(ToolText::cancelled));
  }

  private CompletionStage<CallToolResult> search(JsonNode arguments, String session) {
    JsonFields fields = JsonFields.arguments(arguments, Set.of("query", "limit", "document"));
    String query =
        fields.text("query").orElseThrow(() -> JsonFields.wrong("/query", "is missing").refusal());
    if (query.isBlank()
        || query.codePointCount(0, query.length()) > edge.offer().questionCharsMax()) {
      throw JsonFields.outOfBounds(
              "/query", "must have 1 to " + edge.offer().questionCharsMax() + " characters")
          .refusal();
    }
    int limit = fields.whole("limit", 1, settings.passagesMax()).orElse((long) PASSAGES).intValue();
    Corpus.Query asked = new Corpus.Query(query, limit, fields.text("document").orElse(""));
    return within(onceDecided(() -> found(asked))).thenApply(ToolText::hits);
  }

  private CompletionStage<Corpus.Hits> found(Corpus.Query asked) {
    edge.readiness().check();
    return CompletableFuture.supplyAsync(corpus, edge.ports().executor())
        .thenCompose(c -> c.search(asked));
  }

  private static <T> CompletionStage<T> within(CompletionStage<T> stage) {
    return stage.toCompletableFuture().copy()
        .orTimeout(COMMAND_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static EpisodeId id(JsonFields fields) {
    return EpisodeLookup.id(
        fields.text("id").orElseThrow(() -> JsonFields.wrong("/id", "is missing").refusal()));
  }
}
