package rubricem.protocol.port;

/**
 * What a generation cost.
 *
 * @param promptTokens tokens read; estimated where the service does not say
 * @param completionTokens tokens written
 * @param costUsd by the configured prices; 0 where none are configured
 */
public record TokenUsage(long promptTokens, long completionTokens, double costUsd) {
  public static final TokenUsage NONE = new TokenUsage(0, 0, 0);
}
