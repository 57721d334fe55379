package rubricem.protocol.learning;

/**
 * How the ratio of the policy to the old policy bounds an update. {@code low} and {@code high} are
 * distances from 1: the ratio is kept within {@code 1 - low} and {@code 1 + high}.
 */
public sealed interface Objective {
  double low();

  double high();

  /** PPO's pessimistic clip of each token's ratio: {@code -min(ratio A, clip(ratio) A)}. */
  record Clipped(double low, double high) implements Objective {
    public Clipped {
      bounds("objective.clipped", low, high);
    }
  }

  /**
   * The same clip of one ratio for all tokens of a unit: the exponential of their mean log-ratio.
   * Each token keeps its own gradient and its own stage's advantage.
   */
  record Gspo(double low, double high, RatioUnit unit) implements Objective {
    public Gspo {
      bounds("objective.gspo", low, high);
    }
  }

  /** The clipped ratio as a constant weight of the plain policy gradient: no token is silenced. */
  record Cispo(double low, double high) implements Objective {
    public Cispo {
      bounds("objective.cispo", low, high);
    }
  }

  /** Over what a GSPO ratio is averaged. */
  enum RatioUnit {
    ROLLOUT,
    /** The unit of credit: one ratio for one advantage. */
    STAGE
  }

  private static void bounds(String key, double low, double high) {
    Require.within(key + ".low", low, 0, 1);
    Require.notNegative(key + ".high", high);
  }
}
