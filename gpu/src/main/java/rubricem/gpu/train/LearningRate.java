package rubricem.gpu.train;

/**
 * The learning rate of every step of a run of known length. It rises in equal parts to its peak
 * over the first steps, none of which is 0, and then follows its course, of which the last step is
 * the first point above the floor: no step of a run does nothing. Pure.
 *
 * @param peak the highest rate
 * @param warmUp share of all steps over which it rises, 0 to 1
 * @param floor share of the peak towards which it falls; not for a constant one
 */
public record LearningRate(Course course, double peak, double warmUp, double floor) {
  /** A rate above this has never trained a transformer. */
  public static final double PEAK_MAX = 1;

  /** What the rate does after it has risen. */
  public enum Course {
    CONSTANT,
    LINEAR,
    COSINE
  }

  public LearningRate {
    if (!(peak > 0 && peak <= PEAK_MAX)) {
      throw new IllegalArgumentException("rate " + peak + "; above 0 and at most " + PEAK_MAX);
    }
    if (!(warmUp >= 0 && warmUp <= 1 && floor >= 0 && floor <= 1)) {
      throw new IllegalArgumentException(
          "warm-up " + warmUp + " and floor " + floor + "; each is a share of 0 to 1");
    }
  }

  /** Of the paper's supervised training (F.1.1). */
  public static LearningRate supervised() {
    return new LearningRate(Course.COSINE, 4e-5, 0.1, 0);
  }

  /**
   * The rate of one step.
   *
   * @param step counted from 0
   * @param steps of the whole run
   */
  public double at(long step, long steps) {
    if (step < 0 || step >= steps) {
      throw new IllegalArgumentException("step " + step + " of " + steps);
    }
    long rising = Math.min(steps, (long) Math.ceil(warmUp * steps));
    if (step < rising) {
      return peak * (step + 1) / rising;
    }
    double gone = (double) (step - rising) / (steps - rising);
    double left =
        switch (course) {
          case CONSTANT -> 1;
          case LINEAR -> 1 - gone;
          case COSINE -> (1 + Math.cos(Math.PI * gone)) / 2;
        };
    return course == Course.CONSTANT ? peak : peak * (floor + (1 - floor) * left);
  }
}
