package rubricem.gpu.loss;

/** Mean and spread of numbers that come in parts; parts merge in any order. */
public record Moments(long count, double mean, double squares) {
  public static final Moments NONE = new Moments(0, 0, 0);

  static Moments of(double value) {
    return new Moments(1, value, 0);
  }

  public Moments merge(Moments other) {
    if (count == 0 || other.count == 0) {
      return count == 0 ? other : this;
    }
    long n = count + other.count;
    double delta = other.mean - mean;
    double share = (double) other.count / n;
    return new Moments(
        n, mean + delta * share, squares + other.squares + delta * delta * count * share);
  }

  /** Of the population; 0 where there is nothing. */
  public double spread() {
    return count == 0 ? 0 : Math.sqrt(squares / count);
  }
}
