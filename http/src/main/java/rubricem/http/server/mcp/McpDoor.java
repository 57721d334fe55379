package rubricem.http.server.mcp;

import static org.apache.pekko.http.javadsl.model.HttpMethods.POST;

import com.fasterxml.jackson.databind.JsonNode;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.Endpoint;
import rubricem.http.server.Exchange;
import rubricem.http.server.FrontDoor;
import rubricem.http.server.Problem;
import rubricem.protocol.port.Corpus;

/**
 * The door for MCP hosts: streamable HTTP at {@code /mcp}, one message a request, answered as JSON.
 * There is no stream from the server, because it has nothing to say that was not asked; a closed
 * connection cancels nothing. Pages from elsewhere are kept out where all of them are.
 */
public final class McpDoor implements FrontDoor {
  private static final String VERSION = "MCP-Protocol-Version";

  /** The longest wait of a tool and what its answer needs; hosts cut calls at 60 s, some before. */
  private static final Duration PATIENCE = Duration.ofSeconds(29);

  private final Edge edge;
  private final McpConversation conversation;

  /** @param corpus what the source {@code corpus} means */
  public McpDoor(Edge edge, McpDoorSettings settings, Supplier<Corpus> corpus) {
    this.edge = edge;
    this.conversation = new McpConversation(edge, settings, corpus);
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.of(POST, "/mcp", this::message)
            .readingHeaders(McpSession.HEADER, VERSION).within(PATIENCE)
            .answering(200, 202, 404, 406, 408, 413, 415));
  }

  @Override
  public HttpResponse refuse(Problem problem) {
    int code =
        problem.kind() == Problem.Kind.MALFORMED_JSON
            ? ErrorCodes.PARSE_ERROR
            : problem.status() >= 500 ? ErrorCodes.INTERNAL_ERROR : ErrorCodes.INVALID_REQUEST;
    String text = problem.said();
    return Answers.with(
        json(problem.status(), McpConversation.errorJson(code, text)), problem.headers());
  }

  private static HttpResponse json(int status, String body) {
    return Answers.bytes(
        status, ContentTypes.APPLICATION_JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  private CompletionStage<HttpResponse> message(Exchange exchange) {
    checkAccepted(exchange);
    exchange.header(VERSION).filter(v -> !McpConversation.VERSIONS.contains(v)).ifPresent(v -> {
      throw Problem.of(
              Problem.Kind.INVALID_PARAMETER,
              VERSION + " may be " + String.join(", ", McpConversation.VERSIONS) + ".")
          .refusal();
    });
    Optional<String> session = exchange.header(McpSession.HEADER);
    if (session.filter(s -> !McpSession.isOne(s)).isPresent()) {
      throw Problem.of(Problem.Kind.NO_SUCH_PATH, "There is no such session; initialize again.")
          .refusal();
    }
    return exchange.json().thenCompose(message -> answer(message, session));
  }

  /** Hosts must take both forms, so that a server may choose; who names none takes any. */
  private static void checkAccepted(Exchange exchange) {
    try {
      exchange.accepted("application/json");
      exchange.accepted("text/event-stream");
    } catch (Problem.Refusal one) {
      throw Problem.of(
              Problem.Kind.NOT_ACCEPTABLE,
              "Send the header Accept: application/json, text/event-stream.")
          .refusal();
    }
  }

  private CompletionStage<HttpResponse> answer(JsonNode message, Optional<String> session) {
    if (!message.isObject()) {
      throw Problem.of(Problem.Kind.MALFORMED_REQUEST, "Send one message in each request.")
          .refusal();
    }
    boolean begins = message.path("method").asText("").equals("initialize");
    return conversation.answer(message, session.orElse(""))
        .thenApply(
            answer ->
                answer.isEmpty()
                    ? HttpResponse.create().withStatus(202)
                    : begins
                        ? Answers.with(
                            json(200, answer.get()),
                            Map.of(McpSession.HEADER, McpSession.of(edge.ports().ids().get())))
                        : json(200, answer.get()));
  }
}
