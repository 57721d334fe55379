package rubricem.protocol.scaffold;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A tool call as the policy wrote it: {@code <call_tool name="tool" k="v">query</call_tool>}.
 *
 * @param tool the tool's name, normalised
 * @param query the element's content, trimmed and un-escaped; never blank in a valid turn
 * @param attributes the remaining attributes in the order written
 */
public record ToolCall(String tool, String query, Map<String, String> attributes) {
  /** Most calls have no attributes, and every call of every waiting episode is kept. */
  public ToolCall {
    attributes =
        attributes == null || attributes.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }
}
