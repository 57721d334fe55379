package rubricem.protocol.port;

import java.time.Duration;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.scaffold.ToolCall;

/** One call of a tool; the call id is its idempotency key. */
public record ToolRequest(CallId callId, EpisodeId episode, ToolCall call, Duration timeout) {}
