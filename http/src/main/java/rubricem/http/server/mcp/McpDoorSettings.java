package rubricem.http.server.mcp;

import java.time.Duration;

/**
 * The section {@code rubricem.server.mcp}.
 *
 * @param waitMax longest wait of one call for an episode's end, or for the documents of a server
 *     that has just begun
 * @param reportCharsMax characters of a report in one result; the rest is asked for by offset
 * @param passagesMax most passages of one search
 * @param listed reports on one page of the list of resources
 * @param retryWindow how long an equal call without session and key counts as a repetition
 */
public record McpDoorSettings(
    Duration waitMax, int reportCharsMax, int passagesMax, int listed, Duration retryWindow) {}
