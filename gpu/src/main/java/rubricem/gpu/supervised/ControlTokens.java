package rubricem.gpu.supervised;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import rubricem.gpu.text.ChatMessage;
import rubricem.gpu.text.ChatToolCall;

/**
 * Finds the chat's own tokens in what a record says, wherever the template prints it: with one in
 * it, who says what is not certain.
 */
final class ControlTokens {
  private static final List<String> MARKS = List.of("<|im_start|>", "<|im_end|>", "<|endoftext|>");

  private ControlTokens() {}

  static boolean in(List<ChatMessage> messages) {
    for (ChatMessage message : messages) {
      String thought = message.reasoning();
      if (in(message.content()) || thought != null && in(thought)) {
        return true;
      }
      for (ChatToolCall call : message.toolCalls()) {
        if (in(call.name()) || in(call.arguments())) {
          return true;
        }
      }
    }
    return false;
  }

  static boolean inTools(List<JsonNode> tools) {
    return tools.stream().anyMatch(ControlTokens::in);
  }

  private static boolean in(String text) {
    return MARKS.stream().anyMatch(text::contains);
  }

  private static boolean in(JsonNode node) {
    if (node.isTextual()) {
      return in(node.textValue());
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (in(field.getKey()) || in(field.getValue())) {
        return true;
      }
    }
    if (node.isArray()) {
      for (JsonNode item : node) {
        if (in(item)) {
          return true;
        }
      }
    }
    return false;
  }
}
