package rubricem.persistence.episode;

import java.util.List;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.scaffold.ToolCall;

/** A turn of the policy and what came of it. */
public record TurnRecord(CallId callId, String text, FinishReason finish, Reply reply) {

  TurnRecord with(Reply newReply) {
    return new TurnRecord(callId, text, finish, newReply);
  }

  /** What the policy was or will be told after this turn. */
  public sealed interface Reply {}

  /** The turn has just come in. */
  public enum Unread implements Reply {
    TURN
  }

  /** @param notice what was wrong with it, for the policy */
  public record Rejected(String notice) implements Reply {}

  /** @param outcome empty while the tool works */
  public record Called(CallId callId, ToolCall call, Optional<ToolReply> outcome)
      implements Reply {}

  /** The turn that ends the episode. */
  public enum Answered implements Reply {
    TURN
  }

  /** What a tool call came to. */
  public sealed interface ToolReply {}

  /**
   * @param fresh ids first seen in this call, shown with their text
   * @param again ids shown before
   */
  public record Found(List<String> fresh, List<String> again, List<String> notes)
      implements ToolReply {}

  /** The call was wrong and stays so. @param message for the policy */
  public record Refused(String message) implements ToolReply {}

  /** The call failed and may be made again. @param message for the policy, never a finding */
  public record Failed(String message) implements ToolReply {}

  /** @param from the earlier call whose outcome holds, @param times how often it was asked */
  public record Served(CallId from, int times) implements ToolReply {}
}
