package rubricem.gpu.text;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tool call in a conversation.
 *
 * @param arguments an object; or a string that is taken for JSON already and printed as it is
 */
public record ChatToolCall(String name, JsonNode arguments) {}
