package rubricem.http.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.protocol.port.Corpus;

/**
 * Answers the messages of the protocol, whatever brings them. The SDK's stateless server does the
 * protocol; the list of resources, which changes all the time, and what that server does not know
 * are answered here. Nothing is kept between two messages.
 */
final class McpConversation {
  /** The revisions that are spoken, oldest first. */
  static final List<String> VERSIONS =
      List.of(
          ProtocolVersions.MCP_2024_11_05, ProtocolVersions.MCP_2025_03_26,
          ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);

  private static final Logger LOG = LoggerFactory.getLogger(McpConversation.class);
  private static final String INSTRUCTIONS =
      "Deep research in the user's documents. Start with start_research, then call get_research"
          + " with the id until the episode has ended. search_corpus only finds passages.";

  private final JacksonMcpJsonMapper json = new JacksonMcpJsonMapper(new ObjectMapper());
  private final McpResources resources;
  private final List<String> tools;
  private final Transport transport = new Transport();

  McpConversation(Edge edge, McpDoorSettings settings, Supplier<Corpus> corpus) {
    this.resources = new McpResources(edge, settings.listed());
    List<AsyncToolSpecification> all = new McpTools(edge, settings, corpus).all();
    this.tools = all.stream().map(tool -> tool.tool().name()).toList();
    McpServer.async(transport)
        .serverInfo("rubricem", "1")
        .instructions(INSTRUCTIONS)
        .jsonMapper(json)
        // arguments are read by ours, which say what is wrong and where
        .validateToolInputs(false)
        .capabilities(
            ServerCapabilities.builder().tools(false).resources(false, false).prompts(false)
                .completions().logging().build())
        .tools(all)
        .resourceTemplates(resources.templates())
        .prompts(List.of(McpPrompts.research()))
        .build();
  }

  /** Keeps the handler that the server gives to whatever brings messages. */
  private static final class Transport implements McpStatelessServerTransport {
    private @Nullable McpStatelessServerHandler handler;

    @Override
    public void setMcpHandler(McpStatelessServerHandler given) {
      this.handler = given;
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }

    @Override
    public List<String> protocolVersions() {
      return VERSIONS;
    }

    McpStatelessServerHandler handler() {
      return java.util.Objects.requireNonNull(handler, "the server has not been built");
    }
  }

  /**
   * The answer to one message as JSON; empty where it wants none.
   *
   * @param session empty where there is none
   */
  CompletionStage<Optional<String>> answer(JsonNode message, String session) {
    if (!message.isObject() || !message.path("jsonrpc").asText("").equals("2.0")) {
      return failed(null, ErrorCodes.INVALID_REQUEST, "It is no JSON-RPC 2.0 message.");
    }
    McpTransportContext context =
        McpTransportContext.create(Map.of(McpSession.HEADER, session));
    if (!message.has("method")) {
      // an answer to a request of ours, of which there are none
      return CompletableFuture.completedStage(Optional.empty());
    }
    if (!message.path("method").isTextual()) {
      return failed(null, ErrorCodes.INVALID_REQUEST, "The method must be a string.");
    }
    JsonNode id = message.path("id");
    String method = message.get("method").textValue();
    JsonNode params = message.path("params");
    Object given =
        params.isMissingNode() ? null : json.getObjectMapper().convertValue(params, Object.class);
    if (id.isMissingNode()) {
      JSONRPCNotification notification = new JSONRPCNotification("2.0", method, given);
      return transport.handler().handleNotification(context, notification)
          .onErrorComplete().toFuture().thenApply(done -> Optional.<String>empty());
    }
    if (!id.isTextual() && !id.isIntegralNumber()) {
      return failed(null, ErrorCodes.INVALID_REQUEST, "The id must be a string or a number.");
    }
    Object number = id.isTextual() ? id.textValue() : (Object) id.numberValue();
    boolean readable =
        (params.isMissingNode() || params.isObject())
            && (!method.equals(McpSchema.METHOD_INITIALIZE)
                || params.path("protocolVersion").isTextual());
    if (!readable) {
      return CompletableFuture.completedStage(
          written(
              error(number, ErrorCodes.INVALID_PARAMS, "The params are not those of " + method)));
    }
    return begun(new JSONRPCRequest("2.0", method, number, given), params, context)
        .exceptionally(failure -> failure(number, failure))
        .thenApply(this::written);
  }

  /** The SDK throws where params do not fit its records. */
  private CompletionStage<JSONRPCResponse> begun(
      JSONRPCRequest request, JsonNode params, McpTransportContext context) {
    try {
      return request(request, params, context);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<JSONRPCResponse> request(
      JSONRPCRequest request, JsonNode params, McpTransportContext context) {
    return switch (request.method()) {
      case McpSchema.METHOD_RESOURCES_LIST ->
          resources.list(Optional.ofNullable(params.path("cursor").textValue()))
              .thenApply(list -> JSONRPCResponse.result(request.id(), list));
      // lists of one page: none of them ever gave a cursor
      case McpSchema.METHOD_TOOLS_LIST, McpSchema.METHOD_PROMPT_LIST,
          McpSchema.METHOD_RESOURCES_TEMPLATES_LIST ->
          params.hasNonNull("cursor")
              ? CompletableFuture.failedStage(McpResources.NO_SUCH_PAGE.refusal())
              : transport.handler().handleRequest(context, request).toFuture();
      case McpSchema.METHOD_COMPLETION_COMPLETE -> done(request, McpPrompts.completion(params));
      case McpSchema.METHOD_TOOLS_CALL ->
          tools.contains(params.path("name").asText(""))
              ? transport.handler().handleRequest(context, request).toFuture()
              : CompletableFuture.completedStage(
                  error(
                      request.id(), ErrorCodes.INVALID_PARAMS,
                      "There is no tool of this name. The tools are "
                          + String.join(", ", tools) + "."));
      // nothing is ever sent that a level could hold back
      case McpSchema.METHOD_LOGGING_SET_LEVEL ->
          done(request, JsonNodeFactory.instance.objectNode());
      default -> transport.handler().handleRequest(context, request).toFuture();
    };
  }

  private static CompletionStage<JSONRPCResponse> done(JSONRPCRequest request, JsonNode result) {
    return CompletableFuture.completedStage(JSONRPCResponse.result(request.id(), result));
  }

  private static JSONRPCResponse failure(Object id, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof IllegalArgumentException) {
      return error(id, ErrorCodes.INVALID_PARAMS, "The params do not fit the method.");
    }
    if (cause instanceof Problem.Refusal refusal) {
      return error(id, ErrorCodes.INVALID_PARAMS, ToolWords.of(refusal.problem()).detail());
    }
    LOG.error("a message of an MCP host failed", cause);
    return error(id, ErrorCodes.INTERNAL_ERROR, "The log of the server has the details.");
  }

  private static JSONRPCResponse error(@Nullable Object id, int code, String message) {
    return JSONRPCResponse.error(id, new JSONRPCResponse.JSONRPCError(code, message));
  }

  private Optional<String> written(JSONRPCResponse response) {
    try {
      return Optional.of(json.writeValueAsString(response));
    } catch (IOException e) {
      throw new IllegalStateException("an answer cannot be written as JSON", e);
    }
  }

  private static CompletionStage<Optional<String>> failed(
      @Nullable Object id, int code, String message) {
    return CompletableFuture.completedStage(Optional.of(errorJson(code, message)));
  }

  /** An answer to something that is no request. */
  static String errorJson(int code, String message) {
    var json = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0").putNull("id");
    json.putObject("error").put("code", code).put("message", message);
    return json.toString();
  }
}
