package rubricem.actors.episode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.scaffold.Plan;
import rubricem.protocol.scaffold.Review;
import rubricem.protocol.scaffold.ScaffoldPrinter;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;

/**
 * The least that an episode shows a policy, and the least that a policy says: no question, nothing
 * found, one word in each part. A model with less room than this cannot play any episode; one with
 * more may still run out of it, for no question is empty.
 */
public final class ShortestEpisode {
  private static final String WORD = "x";

  /**
   * A stage of it.
   *
   * @param turn what the policy has to answer at least
   */
  public record Stage(String name, List<PolicyMessage> messages, String turn) {}

  private ShortestEpisode() {}

  /** @param tool the one with the shortest name */
  public static List<Stage> stages(String formatInstruction, String tool) {
    PolicyMessage asked = PromptAssembly.asked("", formatInstruction);
    String first = ScaffoldPrinter.print(call(tool));
    PolicyMessage found =
        new PolicyMessage.ToolOutput(ToolOutputText.print(List.of(), PromptAssembly.NOTHING));
    return List.of(
        new Stage("plan", List.of(asked), first),
        new Stage(
            "answer", List.of(asked, new PolicyMessage.Assistant(first), found),
            ScaffoldPrinter.print(answer())));
  }

  private static Turn call(String tool) {
    Optional<String> word = Optional.of(WORD);
    return new Turn(
        WORD, Optional.of(new Plan(word, word, word)), Optional.empty(), Optional.empty(),
        new TurnAction.CallTool(new ToolCall(tool, WORD, Map.of())));
  }

  private static Turn answer() {
    return new Turn(
        WORD, Optional.empty(), Optional.of(WORD), Optional.of(new Review(WORD, WORD)),
        new TurnAction.GiveAnswer(WORD));
  }
}
