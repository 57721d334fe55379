package rubricem.persistence.episode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.CallId;
import rubricem.protocol.scaffold.ToolCall;

/** The one call an episode waits for. What it is follows from the events alone. */
public sealed interface PendingCall {
  CallId callId();

  int attempt();

  /** When a failed call is due again; empty: it is in flight. */
  Optional<Instant> retryAt();

  record OfPolicy(CallId callId, int attempt, List<String> leftOut, Optional<Instant> retryAt)
      implements PendingCall {}

  record OfTool(CallId callId, int attempt, ToolCall call, Optional<Instant> retryAt)
      implements PendingCall {}

  record OfCitationCheck(CallId callId) implements PendingCall {
    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public Optional<Instant> retryAt() {
      return Optional.empty();
    }
  }
}
