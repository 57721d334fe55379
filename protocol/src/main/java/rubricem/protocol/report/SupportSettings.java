package rubricem.protocol.report;

import java.time.Duration;

/**
 * Bounds and thresholds of checking claims.
 *
 * @param claimsMax most pairs of claim and passage looked at in one answer; the rest is unchecked
 * @param timeout for all vectors of one answer together; then the rest is unchecked
 */
public record SupportSettings(int claimsMax, Duration timeout) {
  /** 200 pairs cover a report of 20,000 characters; half a minute ends a user's patience. */
  public static final SupportSettings DEFAULT = new SupportSettings(200, Duration.ofSeconds(30));
}
