package rubricem.gpu.loss;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.learning.TrainRollout;

/**
 * What is settled of one rollout before the first micro-batch: which of its tokens are trained,
 * with which weight, and what one of them counts of the step's loss. Filled while the plan is made,
 * then only read.
 */
final class RolloutPlan {
  final TrainRollout rollout;

  /** Null: the old policy is the one that is differentiated. */
  final double @Nullable [] old;

  final boolean[] kept;

  /** Of the policy term; 1 where nothing corrects it. */
  final double[] weight;

  double scale;

  RolloutPlan(TrainRollout rollout, double @Nullable [] old) {
    this.rollout = rollout;
    this.old = old;
    this.kept = new boolean[rollout.length()];
    this.weight = new double[rollout.length()];
    Arrays.fill(weight, 1);
    for (int t = 0; t < kept.length; t++) {
      kept[t] = rollout.stage()[t] != 0;
    }
  }

  void leaveOut() {
    Arrays.fill(kept, false);
  }

  int keptTokens() {
    int n = 0;
    for (boolean each : kept) {
      n += each ? 1 : 0;
    }
    return n;
  }
}
