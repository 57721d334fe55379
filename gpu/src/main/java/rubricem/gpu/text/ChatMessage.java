package rubricem.gpu.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation as a chat template takes it.
 *
 * @param reasoning what an assistant thought, where it is kept apart from the content; null where
 *     it is not, and then a think element in the content is looked for
 * @param toolCalls of an assistant only
 */
public record ChatMessage(
    ChatRole role, String content, @Nullable String reasoning, List<ChatToolCall> toolCalls) {
  public ChatMessage {
    toolCalls = List.copyOf(toolCalls);
  }

  public static ChatMessage of(ChatRole role, String content) {
    return new ChatMessage(role, content, null, List.of());
  }

  public static ChatMessage system(String content) {
    return of(ChatRole.SYSTEM, content);
  }

  public static ChatMessage user(String content) {
    return of(ChatRole.USER, content);
  }

  public static ChatMessage assistant(String content) {
    return of(ChatRole.ASSISTANT, content);
  }

  public static ChatMessage tool(String content) {
    return of(ChatRole.TOOL, content);
  }

  /** A list of messages with the keys of OpenAI's chat API, as data files hold them. */
  public static List<ChatMessage> list(Iterable<JsonNode> messages) {
    List<ChatMessage> out = new ArrayList<>();
    for (JsonNode message : messages) {
      out.add(of(message));
    }
    return out;
  }

  private static ChatMessage of(JsonNode node) {
    List<ChatToolCall> calls = new ArrayList<>();
    for (JsonNode call : node.path("tool_calls")) {
      JsonNode function = call.path("function").isObject() ? call.get("function") : call;
      calls.add(new ChatToolCall(function.path("name").asText(), function.path("arguments")));
    }
    JsonNode content = node.path("content");
    if (content.isContainerNode()) {
      throw new IllegalArgumentException("the content of a message is text, not a list of parts");
    }
    JsonNode reasoning = node.path("reasoning_content");
    return new ChatMessage(
        role(node.path("role").asText()),
        content.isTextual() ? content.textValue() : "",
        reasoning.isTextual() ? reasoning.textValue() : null,
        calls);
  }

  private static ChatRole role(String name) {
    for (ChatRole role : ChatRole.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(name)) {
        return role;
      }
    }
    throw new IllegalArgumentException("a message has the role '" + name + "', which is not known");
  }
}
