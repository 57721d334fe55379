package rubricem.gpu.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
          "sampler_logprobs", "old_logprobs", "reference_logprobs", "advantages", "stage_scores",
          "truncated");

  /** A rollout without its advantages, and the line it stands in. */
  private record Line(int number, JsonNode node) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private StoredBatch() {}

  /**
   * What a file holds.
   *
   * @param optimiser how the step was made, where the file says so
   */
  public record Contents(List<TrainRollout> rollouts, Optional<HandedOptimiser> optimiser) {}

  /** @param credit for rollouts that come with the scores of their stages instead of advantages */
  public static Contents read(Path file, CreditRule credit) throws IOException {
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
    return new Contents(lines(file, credit), Optional.empty());
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

  private static List<TrainRollout> lines(Path file, CreditRule credit) throws IOException {
    List<Line> lines = parsed(file);
    if (lines.isEmpty()) {
      throw new UnusableFolderException(file, "it holds no rollouts");
    }
    boolean scored = lines.stream().anyMatch(line -> !line.node().has("advantages"));
    List<double[]> advantages = new ArrayList<>();
    for (Line line : lines) {
      String key = scored ? "stage_scores" : "advantages";
      advantages.add(at(file, line, node -> four(node, key)));
    }
    if (scored) {
      credit(file, lines, advantages, credit);
    }
    List<TrainRollout> out = new ArrayList<>();
    for (Line line : lines) {
      double[] own = advantages.get(out.size());
      out.add(at(file, line, node -> rollout(node, own)));
    }
    return out;
  }

  private static List<Line> parsed(Path file) throws IOException {
    List<Line> out = new ArrayList<>();
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          out.add(new Line(number, JSON.readTree(line)));
        }
      }
    } catch (JsonProcessingException e) {
      throw new UnusableFolderException(file, "line " + number + " is no valid JSON");
    } catch (CharacterCodingException e) {
      throw new UnusableFolderException(file, "it is no UTF-8 text behind line " + number);
    }
    return out;
  }

  private static <T> T at(Path file, Line line, Function<JsonNode, T> reading)
      throws IOException {
    try {
      return reading.apply(line.node());
    } catch (HandedProblem | IllegalArgumentException e) {
      throw new UnusableFolderException(
          file, "line " + line.number() + ": " + e.getMessage());
    }
  }

  private static double[] four(JsonNode node, String key) {
    double[] values = Handed.numbers(node, key);
    if (values.length != TrainRollout.STAGES) {
      throw new HandedProblem(
          key + " has " + values.length + " numbers, and there are four stages");
    }
    return values;
  }

  /** Puts advantages in the place of scores; a group is all rollouts of one name. */
  private static void credit(
      Path file, List<Line> lines, List<double[]> scores, CreditRule credit)
      throws IOException {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String group = at(file, lines.get(i), node -> Handed.text(node, "group"));
      groups.computeIfAbsent(group, name -> new ArrayList<>()).add(i);
    }
    List<double[][]> rows =
        credit.batch(
            groups.values().stream()
                .map(of -> of.stream().map(scores::get).toArray(double[][]::new))
                .toList());
    int at = 0;
    for (List<Integer> of : groups.values()) {
      double[][] group = rows.get(at++);
      for (int i = 0; i < of.size(); i++) {
        scores.set(of.get(i), group[i]);
      }
    }
  }

  private static TrainRollout rollout(JsonNode node, double[] advantages) {
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
        advantages, node.path("truncated").asBoolean());
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
