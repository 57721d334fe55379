package rubricem.app.cli;

import java.util.Collection;
import java.util.Set;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/** Reads stored turns for showing them: whatever can be read is, nothing is judged. */
final class Turns {
  private Turns() {}

  /** @param tools the names the policy may call */
  static ParsedTurn parse(String text, Collection<String> tools) {
    return ScaffoldParser.parse(
        text, new TurnContext(false, Set.copyOf(tools), Integer.MAX_VALUE, true));
  }

  static boolean answers(String text, Collection<String> tools) {
    return parse(text, tools) instanceof ParsedTurn.Valid valid
        && valid.turn().action() instanceof TurnAction.GiveAnswer;
  }
}
