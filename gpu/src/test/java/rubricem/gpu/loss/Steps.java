package rubricem.gpu.loss;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import rubricem.protocol.learning.TrainRollout;
import rubricem.testkit.Shared;

/** Steps for tests: the handed one, and small ones made by hand. */
final class Steps {
  private Steps() {}

  /** A step together with the policy's log-probabilities. */
  record Step(List<TrainRollout> rollouts, double[][] logProbs) {
    MicroBatch whole() {
      return part(0, rollouts.size());
    }

    MicroBatch part(int from, int to) {
      int[] indices = new int[to - from];
      Arrays.setAll(indices, i -> from + i);
      return new MicroBatch(indices, Arrays.copyOfRange(logProbs, from, to));
    }
  }

  static Step handed() {
    List<TrainRollout> rollouts = new ArrayList<>();
    List<double[]> logProbs = new ArrayList<>();
    JsonNode groups = Shared.goldenJson("ssgrpo.json").get("groups");
    for (int g = 0; g < groups.size(); g++) {
      for (JsonNode rollout : groups.get(g).get("rollouts")) {
        int[] stages = Shared.ints(rollout.get("stage"));
        byte[] stage = new byte[stages.length];
        for (int t = 0; t < stage.length; t++) {
          stage[t] = (byte) stages[t];
        }
        rollouts.add(
            new TrainRollout(
                "question-" + g, "rollout-" + rollouts.size(), 0,
                Shared.ints(rollout.get("prompt_ids")), Shared.ints(rollout.get("response_ids")),
                stage, Shared.doubles(rollout.get("sampler_logprobs")),
                Shared.doubles(rollout.get("old_logprobs")),
                Shared.doubles(rollout.get("reference_logprobs")),
                Shared.doubles(rollout.get("advantages")), false));
        logProbs.add(Shared.doubles(rollout.get("policy_logprobs")));
      }
    }
    return new Step(rollouts, logProbs.toArray(double[][]::new));
  }

  /** A rollout whose four kinds of log-probabilities are all those given. */
  static TrainRollout rollout(String group, String id, byte[] stage, double[] all, double... adv) {
    return new TrainRollout(
        group, id, 0, new int[] {1, 2}, new int[stage.length], stage, all.clone(), all.clone(),
        all.clone(), adv, false);
  }

  static TrainRollout withSampler(TrainRollout r, double[] sampler) {
    return new TrainRollout(
        r.group(), r.id(), r.policyVersion(), r.promptIds(), r.responseIds(), r.stage(), sampler,
        r.oldLogProbs(), r.referenceLogProbs(), r.advantages(), r.truncated());
  }

  static TrainRollout withAdvantages(TrainRollout r, double... advantages) {
    return new TrainRollout(
        r.group(), r.id(), r.policyVersion(), r.promptIds(), r.responseIds(), r.stage(),
        r.samplerLogProbs(), r.oldLogProbs(), r.referenceLogProbs(), advantages, r.truncated());
  }

  static TrainRollout truncated(TrainRollout r) {
    return new TrainRollout(
        r.group(), r.id(), r.policyVersion(), r.promptIds(), r.responseIds(), r.stage(),
        r.samplerLogProbs(), r.oldLogProbs(), r.referenceLogProbs(), r.advantages(), true);
  }

  static TrainRollout ofVersion(TrainRollout r, long version) {
    return new TrainRollout(
        r.group(), r.id(), version, r.promptIds(), r.responseIds(), r.stage(),
        r.samplerLogProbs(), r.oldLogProbs(), r.referenceLogProbs(), r.advantages(),
        r.truncated());
  }

  static TrainRollout inGroup(TrainRollout r, String group) {
    return new TrainRollout(
        group, r.id() + "-" + group, r.policyVersion(), r.promptIds(), r.responseIds(), r.stage(),
        r.samplerLogProbs(), r.oldLogProbs(), r.referenceLogProbs(), r.advantages(),
        r.truncated());
  }
}
