package rubricem.gpu.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The manifest as JSON, with a checksum of its own as the last field: a journal number that lost a
 * digit would otherwise resume somewhere else. Reading takes nothing on trust and answers what is
 * wrong by an {@link IllegalArgumentException}. Fields that a later program adds are kept in the
 * checksum and else ignored.
 */
final class ManifestJson {
  private static final String CHECKSUM = "checksum";
  private static final String BASE = "base";
  private static final String SETTINGS = "settings";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ManifestJson() {}

  static byte[] write(CheckpointManifest manifest) {
    CheckpointState state = manifest.state();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", CheckpointManifest.FORMAT);
    root.put("step", state.step());
    root.put("policy_version", state.policyVersion());
    root.put("created", manifest.created().toString());
    root.putObject("weights")
        .put("kind", state.weightsKind().label())
        .put("folder", state.weightsFolder());
    root.put("optimiser", state.optimiserFile().orElse(null));
    state.base().ifPresent(checksum -> root.putObject(BASE).put("sha256", checksum));
    ObjectNode journal = root.putObject("journal");
    state.journal().forEach(journal::put);
    ObjectNode rng = root.putObject("rng");
    state.rng().forEach(rng::put);
    if (!state.settings().isEmpty()) {
      state.settings().forEach(root.putObject(SETTINGS)::put);
    }
    var files = root.putArray("files");
    for (CheckpointFile file : manifest.files()) {
      files.addObject()
          .put("path", file.path())
          .put("bytes", file.bytes())
          .put("sha256", file.sha256());
    }
    root.put(CHECKSUM, checksum(root));
    return (root.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Over the compact form, so that white space is no matter. */
  private static String checksum(ObjectNode root) {
    return Sha256.of(root.toString().getBytes(StandardCharsets.UTF_8));
  }

  static CheckpointManifest read(byte[] text) {
    ObjectNode root = parse(text);
    JsonNode format = root.path("format");
    if (format.asInt() > CheckpointManifest.FORMAT) {
      throw new IllegalArgumentException(
          "written by a newer program (format " + format + "); use that one");
    }
    if (format.asInt() != CheckpointManifest.FORMAT) {
      throw new IllegalArgumentException("the manifest has no known format");
    }
    JsonNode checksum = root.remove(CHECKSUM);
    if (checksum == null || !checksum.asText().equals(checksum(root))) {
      throw new IllegalArgumentException("the manifest differs from its checksum");
    }
    List<CheckpointFile> files = new ArrayList<>();
    for (JsonNode file : root.path("files")) {
      files.add(
          new CheckpointFile(
              text(file, "path"), number(file.path("bytes"), "bytes"), text(file, "sha256")));
    }
    return new CheckpointManifest(created(root), state(root), files);
  }

  private static ObjectNode parse(byte[] text) {
    try {
      if (MAPPER.readTree(new String(text, StandardCharsets.UTF_8)) instanceof ObjectNode root) {
        return root;
      }
      throw new IllegalArgumentException("the manifest is no JSON object");
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the manifest is no valid JSON", e);
    }
  }

  private static CheckpointState state(ObjectNode root) {
    JsonNode weights = root.path("weights");
    SortedMap<String, Long> journal = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : root.path("journal").properties()) {
      journal.put(entry.getKey(), number(entry.getValue(), "journal"));
    }
    return new CheckpointState(
        number(root.path("step"), "step"),
        number(root.path("policy_version"), "policy_version"),
        kind(text(weights, "kind")),
        text(weights, "folder"),
        Optional.ofNullable(root.path("optimiser").textValue()),
        journal,
        texts(root.path("rng")),
        Optional.ofNullable(root.path(BASE).path("sha256").textValue()),
        texts(root.path(SETTINGS)));
  }

  private static SortedMap<String, String> texts(JsonNode object) {
    SortedMap<String, String> out = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      out.put(entry.getKey(), entry.getValue().asText());
    }
    return out;
  }

  private static WeightsKind kind(String label) {
    for (WeightsKind kind : WeightsKind.values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("the manifest has weights of the unknown kind " + label);
  }

  private static Instant created(ObjectNode root) {
    try {
      return Instant.parse(text(root, "created"));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("the manifest has no time of creation", e);
    }
  }

  private static String text(JsonNode node, String key) {
    if (!node.path(key).isTextual()) {
      throw new IllegalArgumentException("the manifest has no " + key);
    }
    return node.get(key).textValue();
  }

  private static long number(JsonNode node, String key) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw new IllegalArgumentException("the manifest has no " + key);
    }
    return node.longValue();
  }
}
