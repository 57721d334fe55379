package rubricem.http.server.openai;

import static org.apache.pekko.http.javadsl.model.HttpMethods.GET;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Problem;

/**
 * The door for OpenAI clients: the policies as models, an episode as a chat completion or a
 * response. A request that a library repeats finds the episode that its first sending began.
 */
public final class OpenAiDoor implements FrontDoor {
  /** The header that names the episode behind an answer. */
  static final String EPISODE = "X-Rubricem-Episode";

  /** What stands behind {@code /v1/} in OpenAI's interface. */
  private static final Set<String> NAMES =
      Set.of(
          "assistants", "audio", "batches", "chat", "completions", "containers", "conversations",
          "chatkit", "edits", "embeddings", "engines", "evals", "files", "fine-tunes",
          "fine_tuning", "graders", "images", "models", "moderations", "organization", "projects",
          "realtime", "responses", "skills", "threads", "uploads", "vector_stores", "videos",
          "webhooks");

  /** Where clients call that were given the address without its end. */
  private static final Set<String> WITHOUT_V1 =
      Set.of("/chat/completions", "/completions", "/embeddings", "/models", "/responses");

  private static final int NAME_PART = 2;
  private static final String OFFERED =
      "This server offers research by POST /v1/chat/completions and POST /v1/responses, and GET"
          + " /v1/models. Everything else that it has is listed at /openapi.json.";

  /** Models have no date of birth here; some clients sort by it. */
  private static final long CREATED = 1_767_225_600;

  private final Edge edge;
  private final ModelNames models;
  private final List<Endpoint> endpoints = new ArrayList<>();

  public OpenAiDoor(Edge edge, OpenAiDoorSettings settings) {
    this.edge = edge;
    this.models = new ModelNames(edge.offer().policies());
    RetriedPosts posts = new RetriedPosts(edge, settings.retryWindow());
    endpoints.add(Endpoint.of(GET, "/v1/models", this::list));
    endpoints.add(Endpoint.of(GET, "/v1/models/{model}", this::show).answering(200, 404));
    endpoints.addAll(new ChatRoutes(edge, settings, models, posts).endpoints());
    endpoints.addAll(new ResponseRoutes(edge, settings, models, posts).endpoints());
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.copyOf(endpoints);
  }

  /** Of what else OpenAI's interface has, clients are told in words that they can read. */
  @Override
  public Optional<Problem> missing(String path) {
    if (WITHOUT_V1.contains(path)) {
      return Optional.of(
          Problem.of(
              Problem.Kind.NO_SUCH_PATH,
              "The base URL of this server's OpenAI interface ends in /v1. " + OFFERED));
    }
    String[] parts = path.split("/", NAME_PART + 2);
    return path.startsWith("/v1/") && NAMES.contains(parts[NAME_PART])
        ? Optional.of(Problem.of(Problem.Kind.NO_SUCH_PATH, OFFERED))
        : Optional.empty();
  }

  /** Names such as {@code input_tokens} stand where an id could, and are paths of their own. */
  @Override
  public Problem wrongMethod(String path, String allow) {
    boolean isName =
        path.startsWith(ResponseRoutes.ALL + "/")
            && !path.startsWith(ResponseRoutes.ALL + "/" + ResponseObject.PREFIX);
    return isName
        ? Problem.of(Problem.Kind.NO_SUCH_PATH, OFFERED)
        : FrontDoor.super.wrongMethod(path, allow);
  }

  @Override
  public HttpResponse refuse(Problem problem) {
    return OpenAiProblem.answer(problem);
  }

  private CompletionStage<HttpResponse> list(Exchange exchange) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("object", "list");
    ArrayNode data = json.putArray("data");
    models.all().forEach(name -> data.add(model(name)));
    return CompletableFuture.completedStage(Answers.json(200, edge.ports().json(), json));
  }

  private CompletionStage<HttpResponse> show(Exchange exchange) {
    String name = exchange.path("model");
    if (models.policy(name).isEmpty()) {
      throw Problem.of(
              Problem.Kind.UNKNOWN_MODEL, "Ask for one of " + String.join(", ", models.all()) + ".")
          .refusal();
    }
    return CompletableFuture.completedStage(
        Answers.json(200, edge.ports().json(), model(name)));
  }

  private ObjectNode model(String name) {
    return JsonNodeFactory.instance.objectNode().put("id", name).put("object", "model")
        .put("created", CREATED).put("owned_by", "rubricem")
        .put("policy", models.shown(name));
  }
}
