package rubricem.protocol.port;

import java.util.List;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;

/** What a tool gave back. */
public sealed interface ToolOutcome {
  /**
   * @param passages best first; empty means it looked and found nothing
   * @param notes what the policy should know beside the passages, one sentence each
   */
  record Found(List<Passage> passages, Searched searched, List<String> notes)
      implements ToolOutcome {}

  /** The call is wrong and would be wrong again; told to the policy. */
  record Refused(String reason) implements ToolOutcome {}

  record Failed(CallFailure failure) implements ToolOutcome {}
}
