package rubricem.protocol.learning;

import java.util.List;

/**
 * How stage scores become advantages.
 *
 * @param weights row k: what stage k is credited of each stage's score; unused in terminal mode
 * @param epsilon added to the spread before dividing by it
 * @param floor a spread below this is rounding noise: the stage is flat and its advantage exactly 0
 * @param leaveOneOut each rollout is compared with the mean of the others
 * @param survivorsMin scored rollouts that a group needs; with fewer it teaches nothing
 */
public record Credit(
    Mode mode,
    List<List<Double>> weights,
    Scale scale,
    double epsilon,
    double floor,
    boolean leaveOneOut,
    Unit unit,
    int survivorsMin) {

  /** Where credit comes from. */
  public enum Mode {
    /** Stage scores by the weights: SS-GRPO. */
    STAGES,
    /** The answer's score alone, for every stage: the baseline "answer-only GRPO". */
    TERMINAL
  }

  /** What a centred return is divided by. */
  public enum Scale {
    /** The population spread of its group and stage. */
    GROUP_STD,
    /** Nothing (Dr. GRPO). */
    NONE,
    /** The population spread of the stage over all centred returns of the batch. */
    BATCH_STD
  }

  /** What is centred and scaled. */
  public enum Unit {
    /** Each stage's return: the paper. */
    RETURNS,
    /** Each stage's score, and then their weighted sum: no score drowns another (GDPO). */
    STAGE_SCORES
  }

  /** The paper's matrix, set by hand there: the answer counts most, the next stage least. */
  public static final List<List<Double>> PAPER_WEIGHTS =
      List.of(
          List.of(1.0, 0.4, 0.6, 0.8),
          List.of(0.0, 1.0, 0.4, 0.8),
          List.of(0.0, 0.0, 1.0, 0.8),
          List.of(0.0, 0.0, 0.0, 1.0));

  public static final Credit PAPER =
      new Credit(
          Mode.STAGES, PAPER_WEIGHTS, Scale.GROUP_STD, 1e-8, 1e-6, false, Unit.RETURNS, 2);

  public Credit {
    weights = weights.stream().map(List::copyOf).toList();
    Require.notNegative("credit.epsilon", epsilon);
    Require.positive("credit.floor", floor);
    Require.that(
        survivorsMin >= 2, "credit.survivors-min", survivorsMin,
        "one rollout alone cannot be compared with anything; it must be at least 2");
  }
}
