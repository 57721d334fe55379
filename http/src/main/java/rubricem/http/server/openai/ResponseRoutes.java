package rubricem.http.server.openai;

import static org.apache.pekko.http.javadsl.model.HttpMethods.DELETE;
import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;
import static org.apache.pekko.http.javadsl.model.HttpMethods.POST;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.Problem;
import rubricem.http.server.research.EpisodeLookup;
import rubricem.http.server.research.StoredStory;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeView;

/**
 * {@code /v1/responses}: creates, shows, follows, cancels and deletes. A response is an episode
 * under another name. A deleted one, or one asked for with {@code store} false, is shown here no
 * more; what happened stays in the journal.
 */
final class ResponseRoutes {
  static final String ALL = "/v1/responses";
  private static final String ONE = ALL + "/{id}";
  private static final String DELETED = "deleted";
  private static final Problem NO_PREVIOUS =
      Problem.of(
          Problem.Kind.PREVIOUS_RESPONSE_NOT_FOUND,
          "/previous_response_id was never created here, created with store false, or deleted."
              + " Leave it away: every question is researched by itself.");

  private final Edge edge;
  private final OpenAiDoorSettings settings;
  private final ModelNames models;
  private final RetriedPosts posts;
  private final StoredStory stories;
  private final OpenAiStream streams;
  private final LongWait waiting;
  private final EpisodeLookup lookup;

  ResponseRoutes(Edge edge, OpenAiDoorSettings settings, ModelNames models, RetriedPosts posts) {
    this.edge = edge;
    this.settings = settings;
    this.models = models;
    this.posts = posts;
    this.stories = new StoredStory(edge);
    this.streams = new OpenAiStream(edge);
    this.waiting = new LongWait(edge, settings.answerPatience());
    this.lookup = new EpisodeLookup(edge);
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(POST, ALL, this::create)
            .readingHeaders(RetriedPosts.KEY, RetriedPosts.TRY)
            .within(settings.answerPatience().plus(Endpoint.PATIENCE))
            .answering(200, 404, 408, 409, 413, 415, 422, 429),
        Endpoint.of(GET, ONE, this::show).reading("stream", "starting_after")
            .answering(200, 404),
        Endpoint.of(DELETE, ONE, this::delete).answering(200, 404),
        Endpoint.of(POST, ONE + "/cancel", this::cancel).answering(200, 404),
        Endpoint.of(GET, ONE + "/input_items", this::input).answering(200, 404));
  }

  private CompletionStage<HttpResponse> create(Exchange exchange) {
    return exchange.json().thenCompose(body -> create(exchange, body));
  }

  private CompletionStage<HttpResponse> create(Exchange exchange, JsonNode body) {
    Asked asked = Asked.inResponse(body, edge.offer(), models);
    if (asked.stream()) {
      exchange.checkStream();
    }
    return previous(asked)
        .thenCompose(
            known ->
                posts.start(
                    "responses", CreateFields.RESPONSE, exchange, body, asked.request()))
        .thenCompose(started -> {
          EpisodeView view = started.view();
          if (asked.stream()) {
            return CompletableFuture.completedStage(
                stream(view, -1, asked.cancelOnDisconnect()));
          }
          return asked.background()
              ? answer(view)
              : waiting.ended(view.id()).thenCompose(this::answer);
        })
        .thenApply(answer -> Answers.with(answer, asked.unused()));
  }

  /** A response to go on from must be there; each question is researched by itself all the same. */
  private CompletionStage<Optional<EpisodeView>> previous(Asked asked) {
    String id = asked.request().metadata().get(Asked.PREVIOUS);
    return id == null
        ? CompletableFuture.completedStage(Optional.empty())
        : CompletableFuture.completedStage(id).thenCompose(this::find)
            .<Optional<EpisodeView>>thenApply(Optional::of)
            .exceptionallyCompose(ResponseRoutes::noPrevious);
  }

  /** In the words by which libraries know that they must send the whole conversation. */
  private static CompletionStage<Optional<EpisodeView>> noPrevious(Throwable failure) {
    boolean unknown =
        EpisodeLookup.cause(failure) instanceof Problem.Refusal refusal
            && refusal.problem().kind() == Problem.Kind.UNKNOWN_RESPONSE;
    return CompletableFuture.failedStage(unknown ? NO_PREVIOUS.refusal() : failure);
  }

  private CompletionStage<EpisodeView> find(String text) {
    EpisodeId id;
    try {
      id = OpenAiStream.id(text, ResponseObject.PREFIX);
    } catch (Problem.Refusal e) {
      throw unknown().refusal();
    }
    return edge.ports().keys().find(key(id))
        .thenCompose(
            deleted -> {
              if (deleted.isPresent()) {
                throw unknown().refusal();
              }
              return edge.ports().index().stored(id)
                  .thenApply(
                      stored ->
                          stored.filter(ResponseObject::isStored)
                              .orElseThrow(() -> unknown().refusal()));
            })
        .thenCompose(
            stored ->
                stored.status().ended()
                    ? CompletableFuture.completedStage(stored)
                    : lookup.stored(id));
  }

  private static Problem unknown() {
    return Problem.of(
        Problem.Kind.UNKNOWN_RESPONSE, "It was never created here, created with store false, or deleted.");
  }

  private static String key(EpisodeId id) {
    return "responses:" + DELETED + ":" + id;
  }

  private CompletionStage<HttpResponse> show(Exchange exchange) {
    boolean stream = flag(exchange.query("stream"));
    long after = number(exchange.query("starting_after"));
    return find(exchange.path("id"))
        .thenCompose(
            view ->
                !stream
                    ? answer(view)
                    : after < 0
                        ? CompletableFuture.completedStage(stream(view, after, false))
                        : resumed(view, after));
  }

  /** Behind an event that there is; a reader who names another one has lost its place. */
  private CompletionStage<HttpResponse> resumed(EpisodeView view, long after) {
    ResponseFold fold =
        new ResponseFold(view, models.of(view.policy().spec()), Long.MAX_VALUE);
    fold.begin(view);
    return stories.read(view.id(), fold::on)
        .thenApply(
            read -> {
              if (view.status().ended()) {
                fold.end(view);
              }
              // the error that a stopping server ends with has the number of what comes next
              long known = view.status().ended() ? fold.last() : fold.last() + 1;
              if (after > known) {
                throw Problem.of(
                        Problem.Kind.INVALID_PARAMETER,
                        "starting_after: the response has no event " + after
                            + ". Resume from one that was received.")
                    .refusal();
              }
              return stream(view, after, false);
            });
  }

  private HttpResponse stream(EpisodeView view, long after, boolean cancels) {
    return streams.answer(
        view, new ResponseFold(view, models.of(view.policy().spec()), after), cancels);
  }

  /** With the items that its events tell of. */
  private CompletionStage<HttpResponse> answer(EpisodeView view) {
    String model = models.of(view.policy().spec());
    ResponseFold fold = new ResponseFold(view, model, Long.MAX_VALUE);
    return stories.read(view.id(), fold::on)
        .thenApply(
            read -> {
              if (view.status().ended()) {
                fold.end(view);
              }
              ObjectNode json = ResponseObject.json(view, model, fold.items());
              return Answers.with(
                  Answers.json(200, edge.ports().json(), json),
                  Map.of(OpenAiDoor.EPISODE, view.id().value()));
            });
  }

  private CompletionStage<HttpResponse> cancel(Exchange exchange) {
    return find(exchange.path("id"))
        .thenCompose(
            view ->
                view.status().ended()
                    ? CompletableFuture.completedStage(view)
                    : edge.ports().episodes().cancel(view.id()))
        .thenCompose(this::answer);
  }

  /** One that runs is cancelled first: nobody could see what it comes to. */
  private CompletionStage<HttpResponse> delete(Exchange exchange) {
    return find(exchange.path("id"))
        .thenCompose(
            view ->
                view.status().ended()
                    ? CompletableFuture.completedStage(view)
                    : edge.ports().episodes().cancel(view.id()))
        .thenCompose(
            view -> edge.ports().keys().replace(key(view.id()), DELETED, view.id()))
        .thenApply(
            claim ->
                Answers.json(
                    200, edge.ports().json(),
                    JsonNodeFactory.instance.objectNode()
                        .put("id", ResponseObject.PREFIX + claim.id())
                        .put("object", "response").put("deleted", true)));
  }

  private CompletionStage<HttpResponse> input(Exchange exchange) {
    return find(exchange.path("id"))
        .thenApply(
            view -> Answers.json(200, edge.ports().json(), ResponseObject.input(view)));
  }

  private static boolean flag(Optional<String> text) {
    return switch (text.orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw Problem.of(Problem.Kind.INVALID_PARAMETER, "stream takes true or false.")
              .refusal();
    };
  }

  private static long number(Optional<String> text) {
    if (text.isEmpty()) {
      return -1;
    }
    try {
      long number = Long.parseLong(text.get().strip());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Problem.of(
            Problem.Kind.INVALID_PARAMETER, "starting_after takes the number of an event, from 0.")
        .refusal();
  }
}
