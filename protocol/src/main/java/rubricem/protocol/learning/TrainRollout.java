package rubricem.protocol.learning;

import org.jspecify.annotations.Nullable;

/**
 * One rollout as it is trained: the ids that were read and sampled, and of every response token
 * its stage and log-probabilities. All per-token arrays have the length of the response, or there
 * is no such object. The prompt has no stages at all, so nothing of it can carry loss; of the
 * response only tokens with a stage can, tool output has stage 0. Nothing here was ever decoded and
 * encoded again. The arrays are the rollout's own: nobody changes them.
 *
 * @param group the question and step whose rollouts are compared with this one
 * @param id of the rollout, for the record of the step
 * @param policyVersion of the policy that sampled it
 * @param stage per response token: 0 not sampled, 1 plan, 2 research, 3 review, 4 answer
 * @param samplerLogProbs of the sampled tokens; what stands at stage 0 is never read. One that is
 *     not finite drops its token
 * @param oldLogProbs of the policy before the step, where a pass was made for them
 * @param referenceLogProbs of the fixed reference, where the KL penalty needs them
 * @param advantages of the four stages
 * @param truncated a limit cut it; it did not end by itself
 */
public record TrainRollout(
    String group,
    String id,
    long policyVersion,
    int[] promptIds,
    int[] responseIds,
    byte[] stage,
    double[] samplerLogProbs,
    double @Nullable [] oldLogProbs,
    double @Nullable [] referenceLogProbs,
    double[] advantages,
    boolean truncated) {

  public static final int STAGES = 4;

  public TrainRollout {
    int length = responseIds.length;
    same("stage", stage.length, length);
    same("samplerLogProbs", samplerLogProbs.length, length);
    if (oldLogProbs != null) {
      same("oldLogProbs", oldLogProbs.length, length);
    }
    if (referenceLogProbs != null) {
      same("referenceLogProbs", referenceLogProbs.length, length);
    }
    same("advantages", advantages.length, STAGES);
    for (byte s : stage) {
      Require.that(s >= 0 && s <= STAGES, "the stage of a token", s, "it must be 0 to 4");
    }
    for (double advantage : advantages) {
      Require.that(
          Double.isFinite(advantage), "an advantage", advantage,
          "a rollout without credit is not trained");
    }
  }

  private static void same(String what, int length, int expected) {
    Require.that(
        length == expected, "the length of " + what, length, "it must be " + expected);
  }

  public int length() {
    return responseIds.length;
  }

  /** The tokens that were sampled: all that can carry loss. */
  public int sampledTokens() {
    int n = 0;
    for (byte s : stage) {
      n += s == 0 ? 0 : 1;
    }
    return n;
  }

  /** The advantage of a response token; 0 for one that was not sampled. */
  public double advantageAt(int token) {
    return stage[token] == 0 ? 0 : advantages[stage[token] - 1];
  }

  public TrainRollout withOld(double[] logProbs) {
    return new TrainRollout(
        group, id, policyVersion, promptIds, responseIds, stage, samplerLogProbs, logProbs,
        referenceLogProbs, advantages, truncated);
  }

  public TrainRollout withReference(double[] logProbs) {
    return new TrainRollout(
        group, id, policyVersion, promptIds, responseIds, stage, samplerLogProbs, oldLogProbs,
        logProbs, advantages, truncated);
  }
}
