package rubricem.http.server.research;

import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;
import static org.apache.pekko.http.javadsl.model.HttpMethods.POST;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.Endpoint;
import rubricem.http.server.EpisodeStarting.Repeatable;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Problem;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.scaffold.OutsideText;

/** The native API under {@code /v1/research}: starts, shows, follows and ends episodes. */
public final class ResearchDoor implements FrontDoor {
  private static final String ALL = "/v1/research";
  private static final String ONE = ALL + "/{id}";

  /** Fonts are read and a report of 20,000 words laid out on a busy machine. */
  private static final Duration REPORT_PATIENCE = Duration.ofSeconds(60);

  private static final int KEY_MAX = 255;

  private final Edge edge;
  private final EpisodeLookup lookup;
  private final EpisodeList list;
  private final EventStream events;
  private final ReportAnswer reports;

  public ResearchDoor(Edge edge) {
    this.edge = edge;
    this.lookup = new EpisodeLookup(edge);
    this.list = new EpisodeList(edge);
    this.events = new EventStream(edge);
    this.reports = new ReportAnswer(edge, lookup);
  }

  @Override
  public boolean knowsItsParameters() {
    return true;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(POST, ALL, this::start).readingHeaders("Idempotency-Key")
            .answering(202, 408, 409, 413, 415, 422, 429),
        Endpoint.of(GET, ALL, list::answer).reading("limit", "cursor", "status", "q"),
        Endpoint.of(GET, ONE, this::show).answering(200, 404),
        Endpoint.of(GET, ONE + "/events", events::answer).reading("after", "progress")
            .readingHeaders("Last-Event-ID").answering(200, 404, 406),
        Endpoint.of(GET, ONE + "/report", reports::answer).reading("format")
            .within(REPORT_PATIENCE).answering(200, 404, 406, 409),
        Endpoint.of(GET, ONE + "/sources/{snippet_id}", this::source).answering(200, 404),
        Endpoint.of(POST, ONE + "/cancel", e -> command(e, edge.ports().episodes()::cancel))
            .answering(202, 404, 409),
        Endpoint.of(POST, ONE + "/finish", e -> command(e, edge.ports().episodes()::finish))
            .answering(202, 404, 409));
  }

  private CompletionStage<HttpResponse> start(Exchange exchange) {
    Optional<String> key = exchange.header("Idempotency-Key").map(ResearchDoor::key);
    return exchange.json().thenCompose(
        body -> {
          EpisodeRequest request = ResearchBody.read(body, edge.offer());
          return edge.starting().start(request, key.map(k -> repeatable(k, body, edge.offer())))
              .thenApply(started -> accepted(started.view()));
        });
  }

  private static Repeatable repeatable(
      String key, JsonNode body, EdgeSettings.Offer offer) {
    return Repeatable.of(
        "research", key, ResearchBody.fixedForm(body),
        ResearchBody.fixedForm(ResearchBody.withoutDefaults(body, offer)));
  }

  private static String key(String text) {
    if (text.isBlank() || text.length() > KEY_MAX) {
      throw Problem.of(
              Problem.Kind.INVALID_PARAMETER,
              "Idempotency-Key takes 1 to " + KEY_MAX + " characters.")
          .refusal();
    }
    return text.strip();
  }

  private HttpResponse accepted(EpisodeView view) {
    return Answers.with(
        Answers.json(202, edge.ports().json(), view),
        Map.of("Location", ALL + "/" + view.id()));
  }

  private CompletionStage<HttpResponse> show(Exchange exchange) {
    return lookup.stored(EpisodeLookup.id(exchange.path("id")))
        .thenApply(view -> Answers.json(200, edge.ports().json(), view));
  }

  /** One that has ended is left asleep: it has nothing to end. */
  private CompletionStage<HttpResponse> command(
      Exchange exchange, Function<EpisodeId, CompletionStage<EpisodeView>> command) {
    EpisodeId id = EpisodeLookup.id(exchange.path("id"));
    return lookup.stored(id)
        .thenCompose(
            view ->
                view.status().ended()
                    ? CompletableFuture.completedStage(view)
                    : command.apply(id).exceptionallyCompose(ResearchDoor::refused))
        .thenApply(this::accepted);
  }

  private static CompletionStage<EpisodeView> refused(Throwable failure) {
    return EpisodeLookup.cause(failure) instanceof Episodes.Refused refused
        ? CompletableFuture.failedStage(
            Problem.of(Problem.Kind.EPISODE_REFUSED, refused.getMessage()).refusal())
        : CompletableFuture.failedStage(failure);
  }

  /**
   * A passage as it was stored.
   *
   * @param from where it begins in the document's text, in characters
   * @param text as stored; a quote stands in it word for word
   * @param shown as the model read it, with everything escaped that looks like a tag of ours
   */
  record StoredPassage(
      String snippetId, String callId, String tool, String document, String title, String url,
      String position, int from, int to, String text, String shown) {
    static StoredPassage of(Snippet snippet) {
      Passage p = snippet.passage();
      return new StoredPassage(
          snippet.id(), snippet.callId().value(), snippet.tool(), p.document(), p.title(),
          p.url(), p.position(), p.from(), p.to(), p.text(), OutsideText.escape(p.text()));
    }
  }

  private CompletionStage<HttpResponse> source(Exchange exchange) {
    EpisodeId id = EpisodeLookup.id(exchange.path("id"));
    return edge.ports().index().snippet(id, exchange.path("snippet_id"))
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedStage(found.get())
                    : lookup.stored(id).thenApply(view -> {
                      throw Problem.of(
                              Problem.Kind.UNKNOWN_SOURCE,
                              "The field sources of the episode lists what it retrieved.")
                          .refusal();
                    }))
        .thenApply(
            snippet -> Answers.json(200, edge.ports().json(), StoredPassage.of(snippet)));
  }
}
