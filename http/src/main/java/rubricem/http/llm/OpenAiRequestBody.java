package rubricem.http.llm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import rubricem.protocol.port.PolicyRequest;

/** Writes a policy request as the JSON a Chat Completions server reads. Pure. */
final class OpenAiRequestBody {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Servers read seeds as 31 bits at the least. */
  private static final long SEED_MASK = 0x7fffffffL;

  /**
   * What this server turned out to need; learned from its refusals, never from the request.
   *
   * @param omitStreamOptions it refuses {@code stream_options}
   * @param newTokensField it refuses {@code max_tokens}
   */
  record Adaptation(boolean omitStreamOptions, boolean newTokensField) {
    static final Adaptation NONE = new Adaptation(false, false);

    /** The change that this refusal asks for, unless it has been made already. */
    Optional<Adaptation> after(OpenAiErrors.ErrorBody error) {
      String said = (error.message() + " " + error.param()).toLowerCase(Locale.ROOT);
      if (!omitStreamOptions
          && (said.contains("stream_options") || said.contains("include_usage"))) {
        return Optional.of(new Adaptation(true, newTokensField));
      }
      if (!newTokensField && said.contains("max_completion_tokens")) {
        return Optional.of(new Adaptation(omitStreamOptions, true));
      }
      return Optional.empty();
    }
  }

  private OpenAiRequestBody() {}

  static ObjectNode write(
      String model,
      PolicyRequest request,
      OpenAiSettings settings,
      List<FunctionTool> tools,
      Adaptation adaptation,
      Optional<String> reasoningField) {
    ObjectNode body = NODES.objectNode().put("model", model);
    body.set(
        "messages",
        ChatHistory.write(
            request.systemPrompt(), request.messages(), settings.dialect(), reasoningField));
    body.put("stream", settings.streaming());
    if (settings.streaming() && !adaptation.omitStreamOptions()) {
      body.putObject("stream_options").put("include_usage", true);
    }
    putLimits(body, request, settings, adaptation);
    if (settings.dialect() == OpenAiSettings.Dialect.TOOLS && !tools.isEmpty()) {
      putTools(body, tools, request.toolCallsLeft());
    }
    return body;
  }

  private static void putLimits(
      ObjectNode body, PolicyRequest request, OpenAiSettings settings, Adaptation adaptation) {
    OpenAiSettings.MaxTokensField field =
        adaptation.newTokensField()
            ? OpenAiSettings.MaxTokensField.MAX_COMPLETION_TOKENS
            : settings.maxTokensField();
    body.put(field.wire(), request.maxTokens());
    if (!settings.stop().isEmpty()) {
      ArrayNode stop = body.putArray("stop");
      settings.stop().forEach(stop::add);
    }
    if (settings.includeStopInOutput()) {
      body.put("include_stop_str_in_output", true);
    }
    OpenAiSettings.Sampling sampling = settings.sampling();
    sampling.temperature().ifPresent(t -> body.put("temperature", t));
    sampling.topP().ifPresent(p -> body.put("top_p", p));
    if (sampling.sendSeed()) {
      // a repeat after a failure must be able to come out differently
      body.put("seed", (request.seed() + request.attempt()) & SEED_MASK);
    }
  }

  private static void putTools(ObjectNode body, List<FunctionTool> tools, int callsLeft) {
    ArrayNode list = body.putArray("tools");
    for (FunctionTool tool : tools) {
      ObjectNode function =
          list.addObject().put("type", "function").putObject("function")
              .put("name", tool.name())
              .put("description", tool.description());
      ObjectNode parameters = function.putObject("parameters").put("type", "object");
      parameters.putObject("properties").putObject("query").put("type", "string");
      parameters.putArray("required").add("query");
    }
    body.put("tool_choice", callsLeft > 0 ? "auto" : "none");
  }
}
