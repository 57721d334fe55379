package rubricem.gpu.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.TrainRollout;

/**
 * The rollouts of one step as a file: JSON Lines, one rollout a line, as the room's README has it;
 * or one document laid out like {@code ssgrpo.json}. A log-probability that is no number is null.
 */
public final class StoredBatch {
  /** A step of a long run has hundreds of rollouts of tens of thousands of tokens. */
  private static final long BYTES_MAX = 2L << 30;

  private static final List<String> KEYS =
      List.of(
          "group", "id", "policy_version", "prompt_ids", "response_ids", "stage",
          "sampler_logprobs", "old_logprobs", "reference_logprobs", "advantages", "truncated");

  private static final ObjectMapper JSON = new ObjectMapper();

  private StoredBatch() {}

  /**
   * What a file holds.
   *
   * @param optimiser how the step was made, where the file says so
   */
  public record Contents(List<TrainRollout> rollouts, Optional<HandedOptimiser> optimiser) {}

  public static Contents read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UnusableFolderException(file, "there is no such file");
    }
    if (Files.size(file) > BYTES_MAX) {
      throw new UnusableFolderException(file, "larger than " + BYTES_MAX + " bytes");
    }
    JsonNode whole = whole(file);
    if (whole != null && whole.has("groups")) {
      try {
        return new Contents(
            HandedRollouts.of(whole).rollouts(),
            whole.has(HandedOptimiser.KEY)
                ? Optional.of(HandedOptimiser.of(whole))
                : Optional.empty());
      } catch (HandedProblem | IllegalArgumentException e) {
        throw new UnusableFolderException(file, e.getMessage());
      }
    }
    return new Contents(lines(file), Optional.empty());
  }

  /** The file as one document; null where it is several, or none. */
  private static @Nullable JsonNode whole(Path file) throws IOException {
    try (var parser = JSON.createParser(file.toFile())) {
      JsonNode first = JSON.readTree(parser);
      return parser.nextToken() == null ? first : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static List<TrainRollout> lines(Path file) throws IOException {
    List<TrainRollout> out = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (!line.isBlank()) {
        try {
          out.add(rollout(JSON.readTree(line)));
        } catch (JsonProcessingException e) {
          throw new UnusableFolderException(file, "line " + number + " is no valid JSON");
        } catch (HandedProblem | IllegalArgumentException e) {
          throw new UnusableFolderException(file, "line " + number + ": " + e.getMessage());
        }
      }
    }
    if (out.isEmpty()) {
      throw new UnusableFolderException(file, "it holds no rollouts");
    }
    return out;
  }

  private static TrainRollout rollout(JsonNode node) {
    List<String> others = Handed.others(node, KEYS);
    if (!others.isEmpty()) {
      throw new HandedProblem("the keys " + others + " are not known");
    }
    int[] stages = Handed.ids(node, "stage");
    byte[] stage = new byte[stages.length];
    for (int t = 0; t < stage.length; t++) {
      if (stages[t] != (byte) stages[t]) {
        throw new HandedProblem("there is no stage " + stages[t]);
      }
      stage[t] = (byte) stages[t];
    }
    return new TrainRollout(
        Handed.text(node, "group"), Handed.text(node, "id"),
        node.path("policy_version").asLong(), Handed.ids(node, "prompt_ids"),
        Handed.ids(node, "response_ids"), stage, Handed.numbers(node, "sampler_logprobs"),
        optional(node, "old_logprobs"), optional(node, "reference_logprobs"),
        Handed.numbers(node, "advantages"), node.path("truncated").asBoolean());
  }

  private static double @Nullable [] optional(JsonNode node, String key) {
    return node.path(key).isMissingNode() || node.get(key).isNull()
        ? null
        : Handed.numbers(node, key);
  }

  /** As {@link #read} takes it. */
  public static void write(Path file, List<TrainRollout> rollouts) throws IOException {
    StringBuilder out = new StringBuilder();
    for (TrainRollout rollout : rollouts) {
      out.append(node(rollout)).append('\n');
    }
    Files.writeString(file, out);
  }

  private static ObjectNode node(TrainRollout r) {
    ObjectNode node = JSON.createObjectNode();
    node.put("group", r.group()).put("id", r.id()).put("policy_version", r.policyVersion());
    node.set("prompt_ids", JSON.valueToTree(r.promptIds()));
    node.set("response_ids", JSON.valueToTree(r.responseIds()));
    ArrayNode stage = node.putArray("stage");
    for (byte one : r.stage()) {
      stage.add(one);
    }
    numbers(node, "sampler_logprobs", r.samplerLogProbs());
    numbers(node, "old_logprobs", r.oldLogProbs());
    numbers(node, "reference_logprobs", r.referenceLogProbs());
    numbers(node, "advantages", r.advantages());
    return node.put("truncated", r.truncated());
  }

  private static void numbers(ObjectNode node, String key, double @Nullable [] values) {
    if (values != null) {
      ArrayNode list = node.putArray(key);
      for (double value : values) {
        if (Double.isFinite(value)) {
          list.add(value);
        } else {
          list.addNull();
        }
      }
    }
  }
}
