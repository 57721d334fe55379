package rubricem.http.llm;

import rubricem.protocol.port.Tool;

/** A tool as it is declared to a server in the {@code tools} dialect. */
public record FunctionTool(String name, String description) {
  public static FunctionTool of(Tool tool) {
    return new FunctionTool(tool.name(), tool.description());
  }
}
