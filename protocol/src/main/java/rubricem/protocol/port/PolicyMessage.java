package rubricem.protocol.port;

/** One message of the history a policy is shown. */
public sealed interface PolicyMessage {
  String text();

  /** The question with its format instruction, or a note of the engine to the policy. */
  record User(String text) implements PolicyMessage {}

  /** A turn the policy generated, verbatim. */
  record Assistant(String text) implements PolicyMessage {}

  /** What a tool gave back, wrapped in {@code <tool_output>}; text from outside is escaped. */
  record ToolOutput(String text) implements PolicyMessage {}
}
