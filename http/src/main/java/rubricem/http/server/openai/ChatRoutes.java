package rubricem.http.server.openai;

import static org.apache.pekko.http.javadsl.model.HttpMethods.POST;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeView;

/** {@code POST /v1/chat/completions}. */
final class ChatRoutes {
  private final Edge edge;
  private final OpenAiDoorSettings settings;
  private final ModelNames models;
  private final RetriedPosts posts;
  private final OpenAiStream streams;
  private final LongWait waiting;

  ChatRoutes(Edge edge, OpenAiDoorSettings settings, ModelNames models, RetriedPosts posts) {
    this.edge = edge;
    this.settings = settings;
    this.models = models;
    this.posts = posts;
    this.streams = new OpenAiStream(edge);
    this.waiting = new LongWait(edge, settings.answerPatience());
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(POST, "/v1/chat/completions", this::complete)
            .readingHeaders(RetriedPosts.KEY, RetriedPosts.TRY)
            .within(settings.answerPatience().plus(Endpoint.PATIENCE))
            .answering(200, 404, 408, 409, 413, 415, 422, 429));
  }

  private CompletionStage<HttpResponse> complete(Exchange exchange) {
    return exchange.json().thenCompose(body -> complete(exchange, body));
  }

  private CompletionStage<HttpResponse> complete(Exchange exchange, JsonNode body) {
    Asked asked = Asked.inChat(body, edge.offer(), models);
    if (asked.stream()) {
      exchange.checkStream();
    }
    return posts.start("chat", CreateFields.CHAT, exchange, body, asked.request())
        .thenCompose(started -> {
          EpisodeView view = started.view();
          String model = models.of(view.policy().spec());
          return asked.stream()
              ? CompletableFuture.completedStage(
                  streams.answer(
                      view, new ChatFold(view, model, asked.usage()),
                      asked.cancelOnDisconnect()))
              : waiting.ended(view.id())
                  .thenApply(ended -> answer(ended, model));
        })
        .thenApply(answer -> Answers.with(answer, asked.unused()));
  }

  private HttpResponse answer(EpisodeView ended, String model) {
    Map<String, String> episode = Map.of(OpenAiDoor.EPISODE, ended.id().value());
    try {
      return Answers.with(
          Answers.json(200, edge.ports().json(), ChatCompletion.json(ended, model)), episode);
    } catch (Problem.Refusal refusal) {
      return Answers.with(OpenAiProblem.answer(refusal.problem()), episode);
    }
  }
}
