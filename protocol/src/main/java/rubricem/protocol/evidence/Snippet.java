package rubricem.protocol.evidence;

import rubricem.protocol.CallId;

/**
 * A passage that this episode retrieved, under the id the policy cites it by.
 *
 * @param id {@code S_1}, {@code S_2}, …: numbered through the episode; the same passage found twice
 *     keeps its first id
 * @param callId the call that found it first
 */
public record Snippet(String id, CallId callId, String tool, Passage passage) {}
