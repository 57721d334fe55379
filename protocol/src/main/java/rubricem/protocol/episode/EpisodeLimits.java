package rubricem.protocol.episode;

/**
 * What one episode may use. At a limit it stops exploring and finishes from its evidence.
 *
 * @param toolCalls most tool calls; one served from the record costs nothing
 * @param seconds wall clock from start to report
 * @param tokens prompt and completion tokens together
 * @param costUsd by the configured prices; 0: no limit
 */
public record EpisodeLimits(int toolCalls, long seconds, long tokens, double costUsd) {}
