package rubricem.protocol.port;

import java.util.concurrent.CompletionStage;

/** Something a policy can call by name. The stage never fails; it does not retry. */
public interface Tool {
  /** The name in {@code <call_tool name="…">}. */
  String name();

  /** For the system prompt: what it searches, its attributes, what comes back. */
  String description();

  CompletionStage<ToolOutcome> call(ToolRequest request);
}
