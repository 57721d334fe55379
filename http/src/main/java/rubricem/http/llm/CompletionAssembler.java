package rubricem.http.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;

/**
 * Adds up the chunks of one completion, streamed or whole, into a turn. It decides by content and
 * not by {@code finish_reason}: complete calls count whatever the server calls the ending, and half
 * ones never do. Knows no connection and no time.
 */
final class CompletionAssembler {
  private static final int CHARS_PER_TOKEN = 4;
  private static final int MODEL_NAME_MAX = 200;
  private static final List<String> REASONING_FIELDS = List.of("reasoning_content", "reasoning");

  /** How the response came to its end. */
  enum Ending {
    /** The server said that it is done. */
    DONE,
    /** The body ended, properly but without a last word. */
    END_OF_BODY,
    /** The connection broke. */
    CUT
  }

  private final OpenAiSettings settings;
  private final OpenAiErrors errors;
  private final GenerationWatcher watcher;
  private final ActionEnd content = new ActionEnd();
  private final StringBuilder thinking = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final ToolCallAssembler calls = new ToolCallAssembler();
  private boolean choiceSeen;
  private String finish = "";
  private Optional<String> matchedStop = Optional.empty();
  private Optional<String> reasoningField = Optional.empty();
  private long promptTokens = -1;
  private long completionTokens = -1;
  private String model = "";
  private int callChars;

  CompletionAssembler(OpenAiSettings settings, OpenAiErrors errors, GenerationWatcher watcher) {
    this.settings = settings;
    this.errors = errors;
    this.watcher = watcher;
  }

  /** What the chunk says went wrong, where it says so. */
  Optional<CallFailure> accept(ObjectNode chunk) {
    // before anything else: what an attempt cost counts however it ends
    acceptUsage(chunk.path("usage"));
    Optional<OpenAiErrors.ErrorBody> error = OpenAiErrors.errorIn(chunk);
    if (error.isPresent()) {
      return Optional.of(errors.inStream(error.get()));
    }
    if (chunk.path("model").isTextual()) {
      String name = chunk.path("model").textValue();
      model = name.substring(0, Math.min(name.length(), MODEL_NAME_MAX));
    }
    for (JsonNode choice : chunk.path("choices")) {
      if (choice.isObject() && choice.path("index").asInt(0) == 0) {
        acceptChoice(choice);
      }
    }
    return Optional.empty();
  }

  /** What follows the turn's action is of no use: reading on would only cost time. */
  boolean overrun() {
    return content.overrun();
  }

  /** The turn is complete; what may still come are figures. */
  boolean settled() {
    return !finish.isEmpty() || content.ended();
  }

  /** The name under which this server delivers thinking. */
  Optional<String> reasoningField() {
    return reasoningField;
  }

  private void acceptUsage(JsonNode usage) {
    if (usage.path("prompt_tokens").canConvertToLong()) {
      promptTokens = usage.path("prompt_tokens").longValue();
    }
    if (usage.path("completion_tokens").canConvertToLong()) {
      completionTokens = usage.path("completion_tokens").longValue();
    }
  }

  private void acceptChoice(JsonNode choice) {
    choiceSeen = true;
    JsonNode streamed = choice.path("delta");
    JsonNode delta = streamed.isObject() ? streamed : choice.path("message");
    acceptThinking(delta);
    acceptContent(delta.path("content"));
    if (delta.path("refusal").isTextual()) {
      refusal.append(delta.path("refusal").textValue());
    }
    JsonNode fragments = delta.path("tool_calls");
    callChars += fragments.isEmpty() ? 0 : fragments.toString().length();
    calls.accept(fragments);
    calls.acceptFunction(delta.path("function_call"));
    if (choice.path("finish_reason").isTextual()) {
      finish = choice.path("finish_reason").textValue();
    }
    for (String field : List.of("stop_reason", "matched_stop")) {
      if (choice.path(field).isTextual()) {
        matchedStop = Optional.of(choice.path(field).textValue());
      }
    }
  }

  private void acceptThinking(JsonNode delta) {
    Optional<String> field =
        reasoningField.filter(f -> hasText(delta.path(f)))
            .or(() -> REASONING_FIELDS.stream().filter(f -> hasText(delta.path(f))).findFirst());
    if (field.isPresent()) {
      reasoningField = field;
      onThinking(delta.path(field.get()).textValue());
    }
  }

  private void acceptContent(JsonNode node) {
    if (hasText(node)) {
      onContent(node.textValue());
    }
    for (JsonNode part : node.isArray() ? node : List.<JsonNode>of()) {
      if (hasText(part.path("text"))) {
        onContent(part.path("text").textValue());
      }
      for (JsonNode inner : part.path("thinking")) {
        onThinking(inner.path("text").asText(""));
      }
    }
  }

  private static boolean hasText(JsonNode node) {
    return node.isTextual() && !node.textValue().isEmpty();
  }

  private void onThinking(String delta) {
    watcher.onText(thinking.isEmpty() ? "<think>" + delta : delta);
    thinking.append(delta);
  }

  private void onContent(String delta) {
    boolean closesThinking = content.length() == 0 && !thinking.isEmpty();
    String told = content.append(delta);
    if (!told.isEmpty()) {
      watcher.onText(closesThinking ? "</think>\n" + told : told);
    }
  }

  PolicyOutcome outcome(Ending ending, int promptChars) {
    Optional<CallFailure> broken = brokenOff(ending);
    if (broken.isPresent()) {
      return failed(broken.get());
    }
    String said = content.finish();
    TurnText turn = TurnText.of(said, thinking.toString());
    List<String> notes = new ArrayList<>();
    if (content.ended()) {
      if (content.overrun() || !calls.isEmpty()) {
        notes.add("what followed the turn's action was dropped: a turn is one action");
      }
      return generated(turn, FinishReason.STOP, promptChars, notes);
    }
    if (!calls.isEmpty()) {
      return withCall(turn, promptChars);
    }
    if (finish.equals("content_filter") || !refusal.isEmpty()) {
      return said.isBlank()
          ? failed(filtered())
          : generated(turn, FinishReason.FILTERED, promptChars, notes);
    }
    return finish.equals("length") || finish.equals("max_tokens")
        ? generated(turn, FinishReason.LENGTH, promptChars, notes)
        : generated(
            turn.closed(settings.stop(), matchedStop), FinishReason.STOP, promptChars, notes);
  }

  private PolicyOutcome withCall(TurnText turn, int promptChars) {
    if (calls.overrun()) {
      return failed(
          new CallFailure.Transient(
              "protocol", "the model server sent far too many tool calls", Optional.empty()));
    }
    return switch (ToolCallReader.read(calls.calls())) {
      case ToolCallReader.Reading.First first ->
          generated(
              turn.withoutOpenElement().followedBy(CallText.print(first.call())),
              FinishReason.STOP,
              promptChars,
              first.notes());
      case ToolCallReader.Reading.Unusable unusable -> failed(unusable.failure());
    };
  }

  private Optional<CallFailure> brokenOff(Ending ending) {
    if (settled()) {
      return Optional.empty();
    }
    return switch (ending) {
      case CUT -> Optional.of(
          new CallFailure.Transient(
              "connect", "the connection broke before the model had finished", Optional.empty()));
      case END_OF_BODY -> Optional.of(
          new CallFailure.Transient(
              "protocol", "the answer ended before the model had finished", Optional.empty()));
      case DONE -> choiceSeen
          ? Optional.empty()
          : Optional.of(
              new CallFailure.Transient(
                  "protocol", "the model server answered without any choice", Optional.empty()));
    };
  }

  private CallFailure filtered() {
    String said = errors.quote(refusal.toString());
    return new CallFailure.Terminal(
        "filtered", "the service withheld the answer" + (said.isEmpty() ? "" : ": " + said));
  }

  /** A failure, with what the server said that the attempt cost until then. */
  PolicyOutcome.Failed failed(CallFailure failure) {
    boolean told = promptTokens >= 0 || completionTokens >= 0;
    return new PolicyOutcome.Failed(
        failure,
        told ? usage(Math.max(0, promptTokens), Math.max(0, completionTokens)) : TokenUsage.NONE);
  }

  private PolicyOutcome generated(
      TurnText turn, FinishReason reason, int promptChars, List<String> notes) {
    return new PolicyOutcome.Generated(
        turn.text(), turn.thinking(), reason, usage(promptChars), model, List.copyOf(notes));
  }

  private TokenUsage usage(int promptChars) {
    int written = content.length() + thinking.length() + callChars;
    long prompt = promptTokens >= 0 ? promptTokens : tokens(promptChars);
    long completion = completionTokens >= 0 ? completionTokens : tokens(written);
    return usage(prompt, completion);
  }

  private TokenUsage usage(long prompt, long completion) {
    double cost =
        (prompt * settings.prices().promptUsd() + completion * settings.prices().completionUsd())
            / 1e6;
    return new TokenUsage(prompt, completion, cost);
  }

  private static long tokens(int chars) {
    return (chars + CHARS_PER_TOKEN - 1) / CHARS_PER_TOKEN;
  }
}
