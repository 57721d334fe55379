package rubricem.protocol.scaffold;

import java.util.Set;

/**
 * What the parser has to know beside the text of a turn.
 *
 * @param firstTurn the first turn plans and calls; it must not answer
 * @param tools the names of the tools that exist
 * @param toolCallsLeft how many calls the budget still allows; 0: the turn must answer
 * @param stopTextOmitted the service says it stopped at a stop text and left it out, so an action
 *     that is still open at the end of the text is complete
 */
public record TurnContext(
    boolean firstTurn, Set<String> tools, int toolCallsLeft, boolean stopTextOmitted) {
  public TurnContext {
    tools = Set.copyOf(tools);
  }
}
