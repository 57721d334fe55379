package rubricem.gpu.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.text.JsonLines;
import rubricem.gpu.weights.UnusableFolderException;
import rubricem.protocol.learning.TrainRollout;

/**
 * The rollouts of one step as a file: JSON Lines, one rollout a line, as the room's README has it;
 * or one document laid out like {@code ssgrpo.json}. A log-probability that is no number is null.
 */
public final class StoredBatch {
  /** A step of a long run has hundreds of rollouts of tens of thousands of tokens. */
  private static final long BYTES_MAX = 2L << 30;

  private static final String ADVANTAGES = "advantages";
  private static final String SCORES = "stage_scores";

  private static final List<String> KEYS =
      List.of(
          "group", "id", "policy_version", "prompt_ids", "response_ids", "stage",
          "sampler_logprobs", "old_logprobs", "reference_logprobs", ADVANTAGES, SCORES,
          "truncated");

  private static final String SAMPLER = "sampler_logprobs";

  /** A sampler in half precision may be this much above a certain token's 0. */
  private static final double ROUNDING = 1e-2;

  private static final int ID_SHOWN_MAX = 60;

  private static final String EITHER = ADVANTAGES + " nor " + SCORES;

  private static final String REMEDY =
      "every line has the one, which is trained on as it is, or the other, which is credited as"
          + " rubricem.learner.credit says: remove one of them";

  /** A rollout without its advantages, and the line it stands in. */
  private record Line(int number, JsonNode node) {}

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private StoredBatch() {}

  /** Where the advantages of a batch come from. */
  public enum Crediting {
    /** They stand in it; how they were made is not known. */
    AS_GIVEN,
    /** They stand in it beside the scores of the stages, which nobody reads then. */
    GIVEN_BESIDE_SCORES,
    /** From the scores of the stages, by the rule that was passed in. */
    FROM_SCORES
  }

  /**
   * What a file holds.
   *
   * @param optimiser how the step was made, where the file says so
   */
  public record Contents(
      List<TrainRollout> rollouts, Optional<HandedOptimiser> optimiser, Crediting crediting) {}

  /** @param credit for rollouts that come with the scores of their stages instead of advantages */
  public static Contents read(Path file, CreditRule credit) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UnusableFolderException(
          file,
          Files.isDirectory(file)
              ? "it is a folder; name the file of the batch"
              : "there is no such file");
    }
    if (Files.size(file) > BYTES_MAX) {
      throw new UnusableFolderException(file, "larger than " + BYTES_MAX + " bytes");
    }
    JsonNode whole = whole(file);
    if (whole != null && whole.has("groups")) {
      try {
        return document(whole, credit);
      } catch (HandedProblem | IllegalArgumentException e) {
        throw new UnusableFolderException(file, e.getMessage());
      }
    }
    return lines(file, credit);
  }

  private static Contents document(JsonNode document, CreditRule credit) {
    List<JsonNode> nodes = new ArrayList<>();
    for (JsonNode group : Handed.list(document, "groups")) {
      Handed.list(group, "rollouts").forEach(nodes::add);
    }
    boolean given = nodes.stream().anyMatch(node -> node.hasNonNull(ADVANTAGES));
    boolean scored = !nodes.isEmpty() && nodes.stream().allMatch(node -> node.hasNonNull(SCORES));
    Crediting crediting =
        !given && scored
            ? Crediting.FROM_SCORES
            : scored ? Crediting.GIVEN_BESIDE_SCORES : Crediting.AS_GIVEN;
    JsonNode whole = document;
    if (crediting == Crediting.FROM_SCORES) {
      whole = document.deepCopy();
      credited(whole, credit);
    }
    return new Contents(
        HandedRollouts.of(whole).rollouts(),
        whole.has(HandedOptimiser.KEY)
            ? Optional.of(HandedOptimiser.of(whole))
            : Optional.empty(),
        crediting);
  }

  /** Writes advantages beside the scores of every rollout. */
  private static void credited(JsonNode document, CreditRule credit) {
    List<double[][]> scores = new ArrayList<>();
    for (JsonNode group : document.get("groups")) {
      List<double[]> rows = new ArrayList<>();
      group.get("rollouts").forEach(node -> rows.add(four(node, SCORES)));
      scores.add(rows.toArray(double[][]::new));
    }
    List<double[][]> advantages = credit.batch(scores);
    for (int g = 0; g < advantages.size(); g++) {
      JsonNode rollouts = document.get("groups").get(g).get("rollouts");
      for (int i = 0; i < rollouts.size(); i++) {
        numbers((ObjectNode) rollouts.get(i), ADVANTAGES, advantages.get(g)[i]);
      }
    }
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

  private static Contents lines(Path file, CreditRule credit) throws IOException {
    List<Line> lines = parsed(file);
    if (lines.isEmpty()) {
      throw new UnusableFolderException(file, "it holds no rollouts");
    }
    boolean scored = areScored(file, lines);
    List<double[]> advantages = new ArrayList<>();
    for (Line line : lines) {
      advantages.add(
          at(file, line, node -> scored ? scores(node) : four(node, ADVANTAGES)));
    }
    refuseSameId(file, lines);
    if (scored) {
      credit(file, lines, advantages, credit);
    }
    List<TrainRollout> out = new ArrayList<>();
    for (Line line : lines) {
      double[] own = advantages.get(out.size());
      out.add(at(file, line, node -> rollout(node, own)));
    }
    return new Contents(
        out, Optional.empty(), scored ? Crediting.FROM_SCORES : Crediting.AS_GIVEN);
  }

  /** One of the two in all lines: with both, or the one here and the other there, one is unread. */
  private static boolean areScored(Path file, List<Line> lines) throws IOException {
    boolean scored = !lines.getFirst().node().hasNonNull(ADVANTAGES);
    for (Line line : lines) {
      boolean given = line.node().hasNonNull(ADVANTAGES);
      boolean has = line.node().hasNonNull(SCORES);
      String problem =
          given && has
              ? "there are both " + ADVANTAGES + " and " + SCORES
              : given || has ? "there is " + (given ? ADVANTAGES : SCORES) : "there is neither";
      if (given == has) {
        throw new UnusableFolderException(
            file,
            "line " + line.number() + ": " + problem + (given ? "" : " " + EITHER) + "; " + REMEDY);
      }
      if (scored != has) {
        throw new UnusableFolderException(
            file,
            "line " + line.number() + ": " + problem + ", and line " + lines.getFirst().number()
                + " has " + (scored ? SCORES : ADVANTAGES) + "; " + REMEDY);
      }
    }
    return scored;
  }

  private static List<Line> parsed(Path file) throws IOException {
    List<Line> out = new ArrayList<>();
    try (JsonLines lines = JsonLines.open(file)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        out.add(new Line(lines.number(), parsed(file, lines.number(), line)));
      }
    } catch (JsonLines.Malformed e) {
      throw new UnusableFolderException(file, e.reason());
    }
    return out;
  }

  private static JsonNode parsed(Path file, int number, String line) throws IOException {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UnusableFolderException(
          file,
          "line " + number + " is no valid JSON"
              + (String.valueOf(e.getOriginalMessage()).contains("Non-standard token")
                  ? ": a number that is none is written null"
                  : ""));
    }
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

  private static double[] scores(JsonNode node) {
    double[] values = four(node, SCORES);
    for (double value : values) {
      if (value < 0 || value > 1) {
        throw new HandedProblem(SCORES + " holds " + value + ", and a score is from 0 to 1");
      }
    }
    return values;
  }

  /** A rollout that stands in the file twice would weigh twice. */
  private static void refuseSameId(Path file, List<Line> lines) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    for (Line line : lines) {
      String id = at(file, line, node -> Handed.text(node, "id"));
      Integer before = seen.putIfAbsent(id, line.number());
      if (before != null) {
        throw new UnusableFolderException(
            file,
            "line " + line.number() + ": the id \""
                + (id.length() > ID_SHOWN_MAX ? id.substring(0, ID_SHOWN_MAX) + "…" : id)
                + "\" is that of line " + before + "; each rollout has an id of its own");
      }
    }
  }

  /** What carries loss came from probabilities; what has no stage is never read. */
  private static double[] logProbs(String key, double[] values, byte[] stage) {
    for (int t = 0; t < Math.min(values.length, stage.length); t++) {
      if (stage[t] != 0 && values[t] > ROUNDING) {
        throw new HandedProblem(
            key + " holds " + values[t] + " at token " + t + ", and the logarithm of a probability"
                + " is at most 0");
      }
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
        Handed.text(node, "group"), Handed.text(node, "id"), version(node),
        Handed.ids(node, "prompt_ids"), Handed.ids(node, "response_ids"), stage,
        logProbs(SAMPLER, Handed.numbers(node, SAMPLER), stage),
        optional(node, "old_logprobs"), optional(node, "reference_logprobs"),
        advantages, truncated(node));
  }

  private static long version(JsonNode node) {
    JsonNode version = node.path("policy_version");
    if (node.hasNonNull("policy_version")
        && !(version.isIntegralNumber() && version.canConvertToLong())) {
      throw new HandedProblem("policy_version is no whole number");
    }
    return version.asLong();
  }

  private static boolean truncated(JsonNode node) {
    JsonNode truncated = node.path("truncated");
    if (node.hasNonNull("truncated") && !truncated.isBoolean()) {
      throw new HandedProblem("truncated is neither true nor false");
    }
    return truncated.asBoolean();
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
    numbers(node, ADVANTAGES, r.advantages());
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
