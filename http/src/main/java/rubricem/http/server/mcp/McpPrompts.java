package rubricem.http.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncPromptSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/** The one prompt, which hosts offer as a command: research a question and show the report. */
final class McpPrompts {
  private static final List<String> FORMATS = List.of("long_form", "short_form", "exact_answer");

  private McpPrompts() {}

  static AsyncPromptSpecification research() {
    Prompt prompt =
        Prompt.builder("research").title("Research a question")
            .description("Research a question in the documents and show the cited report.")
            .arguments(
                List.of(
                    PromptArgument.builder("question").description("What to research.")
                        .required(true).build(),
                    PromptArgument.builder("format").description(String.join(", ", FORMATS) + ".")
                        .required(false).build()))
            .build();
    return new AsyncPromptSpecification(
        prompt,
        (context, request) -> {
          Map<String, Object> arguments =
              request.arguments() == null ? Map.of() : request.arguments();
          Object question = arguments.get("question");
          if (question == null || question.toString().isBlank()) {
            return Mono.error(
                McpError.builder(ErrorCodes.INVALID_PARAMS)
                    .message("The argument question is missing.").build());
          }
          Object format = arguments.getOrDefault("format", FORMATS.getFirst());
          return Mono.just(
              GetPromptResult.builder(
                      List.of(
                          PromptMessage.builder(
                                  Role.USER, TextContent.builder(words(question, format)).build())
                              .build()))
                  .description("Research in the documents.").build());
        });
  }

  private static String words(Object question, Object format) {
    return "Use start_research with format " + format + " for the question below, then"
        + " get_research until it has ended. Show the report as it is, with its numbers and"
        + " references, and add nothing that it does not say.\n\n" + question;
  }

  /** Values for an argument that begin with what was typed; none for what has no list. */
  static ObjectNode completion(JsonNode params) {
    String typed = params.at("/argument/value").asText("");
    boolean format =
        params.at("/ref/name").asText("").equals("research")
            && params.at("/argument/name").asText("").equals("format");
    List<String> values =
        format ? FORMATS.stream().filter(v -> v.startsWith(typed)).toList() : List.of();
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    ObjectNode completion = result.putObject("completion");
    values.forEach(completion.putArray("values")::add);
    completion.put("total", values.size()).put("hasMore", false);
    return result;
  }
}
