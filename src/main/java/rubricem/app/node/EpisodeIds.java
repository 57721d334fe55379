package rubricem.app.node;

import java.time.InstantSource;
import java.util.random.RandomGenerator;
import rubricem.protocol.EpisodeId;

/**
 * New episode ids: {@code e} and 26 characters of Crockford's base 32, the first ten the
 * milliseconds of their making and the rest 80 random bits, so that they sort by age and cannot be
 * guessed.
 */
public final class EpisodeIds {
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int TIME_DIGITS = 10;
  private static final int RANDOM_DIGITS = 16;

  private final InstantSource clock;
  private final RandomGenerator random;

  public EpisodeIds(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  public EpisodeId next() {
    StringBuilder id = new StringBuilder("e");
    long millis = clock.millis();
    for (int i = TIME_DIGITS - 1; i >= 0; i--) {
      id.append(DIGITS.charAt((int) (millis >>> (5 * i)) & 31));
    }
    for (int i = 0; i < RANDOM_DIGITS; i++) {
      id.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
    }
    return new EpisodeId(id.toString());
  }
}
