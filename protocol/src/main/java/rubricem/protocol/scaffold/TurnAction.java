package rubricem.protocol.scaffold;

/** The one action a turn ends with (paper §B.1.5). */
public sealed interface TurnAction {
  record CallTool(ToolCall call) implements TurnAction {}

  /** @param text the content of {@code <answer>}, cites included, not trimmed of inner markup */
  record GiveAnswer(String text) implements TurnAction {}
}
