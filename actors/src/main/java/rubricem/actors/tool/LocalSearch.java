package rubricem.actors.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.Tool;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.port.ToolRequest;

/**
 * Searches the local documents. {@code limit} asks for more or fewer passages, {@code document}
 * restricts the search to one document, and {@code around} returns the passages beside the one
 * whose key it names; each passage's note begins with its key, so that any policy can name it.
 */
public final class LocalSearch implements Tool {
  public static final String NAME = "local_search";

  private static final int LIMIT_DEFAULT = 8;

  /** More passages than this bury the good ones and fill the prompt. */
  private static final int LIMIT_MAX = 20;

  /** What a policy reads of it. */
  public static final String DESCRIPTION =
      "searches the user's own documents by words and by meaning and returns whole passages."
          + " Attributes, all optional: limit (1 to " + LIMIT_MAX + ", default " + LIMIT_DEFAULT
          + ") is how many passages to return; document restricts the search to one document, named"
          + " as in the key of a passage before the number sign; around, given the whole key of a"
          + " passage as its note shows it, returns the passages just before and after that one.";

  /** Neighbours on each side. */
  private static final int NEIGHBOURS = 1;

  private static final Pattern KEY = Pattern.compile("(.+)#([0-9]{1,9})-([0-9]{1,9})");

  private final Corpus corpus;
  private final int unreadableNamed;
  private final Executor executor;

  public LocalSearch(Corpus corpus, int unreadableNamed, Executor executor) {
    this.corpus = corpus;
    this.unreadableNamed = unreadableNamed;
    this.executor = executor;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return DESCRIPTION;
  }

  @Override
  public CompletionStage<ToolOutcome> call(ToolRequest request) {
    Map<String, String> attributes = request.call().attributes();
    if (attributes.containsKey("around")) {
      return around(attributes.get("around").strip());
    }
    String asked = attributes.getOrDefault("limit", "" + LIMIT_DEFAULT).strip();
    if (!asked.matches("[0-9]{1,9}")) {
      return refused("The attribute limit must be a whole number from 1 to " + LIMIT_MAX + ".");
    }
    int limit = Math.clamp(Integer.parseInt(asked), 1, LIMIT_MAX);
    String document = attributes.getOrDefault("document", "").strip();
    return corpus
        .search(new Corpus.Query(request.call().query(), limit, document))
        .handle((hits, failure) -> failure == null ? found(hits) : failed(failure));
  }

  private static CompletionStage<ToolOutcome> refused(String reason) {
    return CompletableFuture.completedStage(new ToolOutcome.Refused(reason));
  }

  private CompletionStage<ToolOutcome> around(String key) {
    Matcher parts = KEY.matcher(key);
    if (!parts.matches()) {
      return refused(
          "The attribute around must be the key of a passage, as its note shows it:"
              + " DOCUMENT#FROM-TO.");
    }
    return CompletableFuture.supplyAsync(
            () ->
                corpus.passagesAround(
                    parts.group(1), Integer.parseInt(parts.group(2)),
                    Integer.parseInt(parts.group(3)), NEIGHBOURS),
            executor)
        .handle(
            (passages, failure) ->
                failure == null
                    ? new ToolOutcome.Found(noted(passages), searched(), List.of())
                    : failed(failure));
  }

  private ToolOutcome found(Corpus.Hits hits) {
    List<String> notes = new ArrayList<>(hits.notes());
    if (hits.vectorsPending() > 0) {
      notes.add(
          "The meaning of " + hits.vectorsPending()
              + " passages is not indexed yet; they can be found by their words only.");
    }
    return new ToolOutcome.Found(noted(hits.passages()), searched(), notes);
  }

  private Searched searched() {
    return corpus.status().searched(unreadableNamed);
  }

  private static List<Passage> noted(List<Passage> passages) {
    return passages.stream()
        .map(
            p ->
                new Passage(
                    p.document(), p.title(), p.url(), p.position(), p.from(), p.to(), p.text(),
                    p.score(),
                    Optional.of("key: " + p.key() + p.note().map(n -> "; " + n).orElse(""))))
        .toList();
  }

  private static ToolOutcome failed(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return new ToolOutcome.Failed(
        new CallFailure.Transient(
            "search_failed",
            "the search of the local documents failed (" + cause.getClass().getSimpleName() + ")",
            Optional.empty()));
  }
}
