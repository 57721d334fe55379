package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.learning.TrainRollout;

/**
 * The rollouts of a document laid out like {@code ssgrpo.json}, with the group each belongs to and
 * what is handed about them beyond what is trained.
 */
record HandedRollouts(List<JsonNode> nodes, List<TrainRollout> rollouts, List<Integer> groupOf) {

  static HandedRollouts of(JsonNode document) {
    List<JsonNode> nodes = new ArrayList<>();
    List<TrainRollout> rollouts = new ArrayList<>();
    List<Integer> groupOf = new ArrayList<>();
    JsonNode groups = Handed.list(document, "groups");
    for (int g = 0; g < groups.size(); g++) {
      for (JsonNode node : Handed.list(groups.get(g), "rollouts")) {
        nodes.add(node);
        rollouts.add(rollout(node, "group-" + g, "rollout-" + rollouts.size()));
        groupOf.add(g);
      }
    }
    if (rollouts.isEmpty()) {
      throw new HandedProblem("there are no rollouts");
    }
    return new HandedRollouts(nodes, rollouts, groupOf);
  }

  private static TrainRollout rollout(JsonNode node, String group, String id) {
    int[] stages = Handed.ids(node, "stage");
    byte[] stage = new byte[stages.length];
    for (int t = 0; t < stage.length; t++) {
      stage[t] = (byte) stages[t];
    }
    double[] old = optional(node, "old_logprobs");
    double[] sampler = optional(node, "sampler_logprobs");
    return new TrainRollout(
        group, id, 0, Handed.ids(node, "prompt_ids"), Handed.ids(node, "response_ids"), stage,
        sampler == null ? (old == null ? new double[stage.length] : old) : sampler, old,
        optional(node, "reference_logprobs"), Handed.numbers(node, "advantages"), false);
  }

  private static double @Nullable [] optional(JsonNode node, String key) {
    return node.has(key) ? Handed.numbers(node, key) : null;
  }

  /** The scores of each group, a row for each rollout. */
  List<double[][]> groups(String key) {
    List<double[][]> out = new ArrayList<>();
    for (int from = 0; from < nodes.size(); ) {
      int to = from;
      List<double[]> rows = new ArrayList<>();
      while (to < nodes.size() && groupOf.get(to).equals(groupOf.get(from))) {
        rows.add(Handed.numbers(nodes.get(to++), key));
      }
      out.add(rows.toArray(double[][]::new));
      from = to;
    }
    return out;
  }

  /** One row after the other. */
  double[] all(String key) {
    return TrainerSetup.joined(nodes.stream().map(n -> Handed.numbers(n, key)).toList());
  }

  boolean have(String key) {
    return nodes.getFirst().has(key);
  }
}
