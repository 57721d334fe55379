package rubricem.protocol.port;

import java.time.Duration;
import java.util.List;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * Everything a policy may know for its next turn. A policy keeps nothing between turns: the whole
 * history is here, so that any node can go on.
 *
 * @param question the user's question alone; {@code messages} holds it with its format instruction
 * @param toolCallsLeft how many tool calls the budget still allows; 0: the turn must answer
 * @param maxTokens most tokens to generate in this turn
 * @param seed for policies that draw at random; the same request gives the same turn
 * @param timeout for the whole generation
 * @param earlier how many generations this episode has behind it, failed and abandoned ones
 *     included; a call repeated after a crash has the same number
 */
public record PolicyRequest(
    CallId callId,
    EpisodeId episode,
    int attempt,
    String question,
    FormatLabel format,
    String systemPrompt,
    List<PolicyMessage> messages,
    int toolCallsLeft,
    int maxTokens,
    long seed,
    Duration timeout,
    int earlier) {

  /** For callers that keep no count: every turn in the history was one generation. */
  public PolicyRequest(
      CallId callId,
      EpisodeId episode,
      int attempt,
      String question,
      FormatLabel format,
      String systemPrompt,
      List<PolicyMessage> messages,
      int toolCallsLeft,
      int maxTokens,
      long seed,
      Duration timeout) {
    this(
        callId, episode, attempt, question, format, systemPrompt, messages, toolCallsLeft,
        maxTokens, seed, timeout,
        attempt - 1
            + (int) messages.stream().filter(m -> m instanceof PolicyMessage.Assistant).count());
  }
}
