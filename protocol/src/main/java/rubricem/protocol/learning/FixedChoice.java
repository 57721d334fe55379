package rubricem.protocol.learning;

import java.util.Arrays;
import java.util.Optional;

/**
 * Options that other trainers have and this one refuses, each with its reason. A key of its own
 * shows the one value, so that whoever looks for the option finds why it is not there.
 */
public enum FixedChoice {
  SMOOTH_GATE("smooth-gate", "OFF",
      "SAPO's gate is bound to the sign of one advantage a rollout and untried with stages;"
          + " objective.kind has CLIPPED, GSPO and CISPO"),
  DENOMINATOR_SCOPE("denominator-scope", "STEP",
      "a divisor of the micro-batch makes the gradient depend on how a batch is cut"),
  REJECTED_TOKENS("rejected-tokens", "LEAVE_DENOMINATOR",
      "tokens that are rejected and still counted shrink the loss of those that are not"),
  STALENESS_BOUND("staleness-bound", "PACE",
      "sampling waits for the learner, so that no rollout that was paid for is thrown away as too"
          + " old; staleness.max says how far one may lag all the same, as after a restart"),
  ADAPTER_VERSIONS("adapter-versions", "MERGED",
      "a sampler draws from whole weights into which the adapter is merged, and holds at most two"
          + " versions of them; none is registered, so none is spare"),
  REFILL_FLAT_GROUPS("refill-flat-groups", "OFF",
      "the curriculum asks the same questions again three steps later, so a step's questions are"
          + " fixed; selection.keep-flat-groups-for-kl says what becomes of flat groups"),
  OVERLONG_PENALTY("overlong-penalty", "OFF",
      "a reward for length beside the judge's; selection.mask-truncated leaves such rollouts out"),
  LOG_PROB_PRECISION("log-prob-precision", "FP32",
      "log-probabilities are made of fp32 logits at least, and the loss is computed in double"),
  DEGENERATE_FILTER("degenerate-filter", "OFF",
      "the judge's rubrics alone reward a rollout (the paper, F.1.2); a filter would be a second"
          + " reward"),
  PROMPT_POOLS("prompt-pools", "OFF",
      "questions that are retired would tear holes into the curriculum's replay window"),
  RUBRIC_DROPOUT("rubric-dropout", "OFF",
      "the learner sees scores of stages, not criteria; a second judge is a matter of judging"),
  MISSING_REWARD("missing-reward", "EXCLUDE",
      "a judge that fails has not scored 0: unscored rollouts leave mean, spread and loss");

  private final String key;
  private final String value;
  private final String reason;

  FixedChoice(String key, String value, String reason) {
    this.key = key;
    this.value = value;
    this.reason = reason;
  }

  /** Below {@code rubricem.learner.fixed}. */
  public String key() {
    return key;
  }

  public String value() {
    return value;
  }

  public String reason() {
    return reason;
  }

  /** Why {@code given} is refused for {@code key}; empty where it is the one value. */
  public static Optional<String> refusal(String key, String given) {
    return Arrays.stream(values())
        .filter(choice -> choice.key.equals(key) && !choice.value.equals(given))
        .map(choice -> "only " + choice.value + " is offered: " + choice.reason)
        .findFirst();
  }
}
