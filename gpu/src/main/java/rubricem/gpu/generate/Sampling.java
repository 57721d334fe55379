package rubricem.gpu.generate;

/**
 * How the next token is drawn. First the temperature, then top-k, then top-p of what is left. Of
 * tokens that are equally likely at the edge of a filter, all stay.
 *
 * @param temperature 0: always the likeliest token
 * @param topK most tokens to choose from; 0: all
 * @param topP the likeliest tokens that together reach this share; 1: all
 * @param seed of this request's own draws, which no neighbour shares
 */
public record Sampling(double temperature, int topK, double topP, long seed) {
  public Sampling {
    if (!(temperature >= 0 && temperature <= 100)) {
      throw new IllegalArgumentException("a temperature is from 0 to 100, not " + temperature);
    }
    if (topK < 0) {
      throw new IllegalArgumentException("top-k is 0 (all) or more, not " + topK);
    }
    if (!(topP > 0 && topP <= 1)) {
      throw new IllegalArgumentException("top-p is above 0 and at most 1, not " + topP);
    }
  }

  public static Sampling greedy() {
    return new Sampling(0, 0, 1, 0);
  }

  /** The policy as it is: what training wants. */
  public static Sampling plain(long seed) {
    return new Sampling(1, 0, 1, seed);
  }

  boolean isGreedy() {
    return temperature == 0;
  }

  /** Whether tokens are left out, so that what is drawn from is not the policy. */
  public boolean isFiltered() {
    return !isGreedy() && (topK > 0 || topP < 1);
  }
}
