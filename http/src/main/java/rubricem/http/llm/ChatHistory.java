package rubricem.http.llm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.scaffold.ToolCall;

/**
 * Writes the history of an episode as the messages of a request. Roles alternate, because strict
 * chat templates insist: neighbouring user texts become one. In the {@code tools} dialect a turn
 * that a tool answered is sent as a call with an id that follows from its place in the history
 * alone, so that it is never empty and the same in every request.
 */
final class ChatHistory {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final OpenAiSettings.Dialect dialect;
  private final Optional<String> reasoningField;
  private final ArrayNode messages = NODES.arrayNode();
  private Optional<String> pendingId = Optional.empty();
  private int calls;

  private ChatHistory(OpenAiSettings.Dialect dialect, Optional<String> reasoningField) {
    this.dialect = dialect;
    this.reasoningField = reasoningField;
  }

  /** @param reasoningField where earlier thinking goes; empty: it stays in the text */
  static ArrayNode write(
      String systemPrompt,
      List<PolicyMessage> history,
      OpenAiSettings.Dialect dialect,
      Optional<String> reasoningField) {
    ChatHistory writer = new ChatHistory(dialect, reasoningField);
    if (!systemPrompt.isBlank()) {
      writer.add("system", systemPrompt);
    }
    for (int i = 0; i < history.size(); i++) {
      boolean answered =
          i + 1 < history.size() && history.get(i + 1) instanceof PolicyMessage.ToolOutput;
      switch (history.get(i)) {
        case PolicyMessage.User user -> writer.addUser(user.text());
        case PolicyMessage.Assistant assistant -> writer.addTurn(assistant.text(), answered);
        case PolicyMessage.ToolOutput output -> writer.addOutput(output.text());
      }
    }
    return writer.messages;
  }

  private ObjectNode add(String role, String content) {
    return messages.addObject().put("role", role).put("content", content);
  }

  private void addUser(String text) {
    if (!messages.isEmpty()
        && messages.get(messages.size() - 1) instanceof ObjectNode last
        && last.path("role").asText().equals("user")) {
      last.put("content", last.path("content").asText() + "\n\n" + text);
    } else {
      add("user", text);
    }
  }

  private void addTurn(String text, boolean answered) {
    Optional<CallText.Trailing> call =
        dialect == OpenAiSettings.Dialect.TOOLS && answered
            ? CallText.atEndOf(text)
            : Optional.empty();
    ObjectNode message = add("assistant", "");
    String said = call.map(c -> c.before().stripTrailing()).orElse(text);
    message.put("content", withoutThinking(message, said));
    call.ifPresent(c -> addCall(message, c.call()));
  }

  private String withoutThinking(ObjectNode message, String text) {
    int close = text.startsWith("<think>") ? text.indexOf("</think>") : -1;
    if (reasoningField.isEmpty() || close < 0) {
      return text;
    }
    message.put(reasoningField.get(), text.substring("<think>".length(), close));
    return text.substring(close + "</think>".length()).stripLeading();
  }

  private void addCall(ObjectNode message, ToolCall call) {
    // nine letters and digits: the strictest form any server asks for
    String id = String.format(Locale.ROOT, "call%05d", ++calls);
    ObjectNode arguments = NODES.objectNode().put("query", call.query());
    call.attributes().forEach(arguments::put);
    message.putArray("tool_calls").addObject()
        .put("id", id)
        .put("type", "function")
        .putObject("function")
        .put("name", call.tool())
        .put("arguments", JsonText.write(arguments));
    pendingId = Optional.of(id);
  }

  private void addOutput(String text) {
    if (pendingId.isPresent()) {
      add("tool", text).put("tool_call_id", pendingId.get());
      pendingId = Optional.empty();
    } else {
      addUser(text);
    }
  }
}
