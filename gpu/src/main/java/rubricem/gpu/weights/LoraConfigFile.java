package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * PEFT's {@code adapter_config.json}. Only options that leave the mathematics alone, or that we
 * compute, are accepted; any other that is set is refused by name, those of later versions too,
 * because an adapter applied differently from how it was trained looks like a bad model.
 */
final class LoraConfigFile {
  static final String BASE = "base_model_name_or_path";

  /** Read below, or without any meaning for the result. */
  private static final Set<String> FREE =
      Set.of(
          "r", "lora_alpha", "use_rslora", "target_modules", "lora_dropout", "peft_type",
          BASE, "task_type", "revision", "inference_mode", "peft_version",
          "auto_mapping", "megatron_core", "qalora_group_size", "init_lora_weights", "bias");

  /** Ways to begin that leave the base model as it is; others change it. */
  private static final Set<String> HARMLESS_STARTS = Set.of("true", "false", "gaussian");

  private static final Map<String, String> REASONS =
      Map.of(
          "use_dora", "weight decomposition is not computed; train the adapter without DoRA",
          "modules_to_save", "whole layers beside the adapter are not read",
          "rank_pattern", "all layers of an adapter have one rank here",
          "alpha_pattern", "all layers of an adapter have one strength here",
          "lora_bias", "adapters have no bias here",
          "fan_in_fan_out", "no layer of Qwen3 is stored transposed");

  private LoraConfigFile() {}

  /** Its base model as it is written there; blank where nothing is. */
  static String baseModel(Path file) throws IOException {
    JsonNode name = Json.read(file).path(BASE);
    return name.isTextual() ? name.asText() : "";
  }

  static LoraConfig read(Path file) throws IOException {
    ObjectNode root = Json.read(file);
    ConfigKeys keys = new ConfigKeys(file, root);
    if (!root.path("peft_type").asText().equals("LORA")) {
      throw new UnusableFolderException(
          file, "peft_type is " + root.path("peft_type") + "; only LORA is read");
    }
    refuseOthers(file, root);
    try {
      return new LoraConfig(
          keys.size("r"),
          keys.number("lora_alpha", 8),
          keys.flag("use_rslora", false),
          targets(file, root.path("target_modules")),
          keys.number("lora_dropout", 0),
          root.path(BASE).asText(""));
    } catch (IllegalArgumentException e) {
      throw new UnusableFolderException(file, e.getMessage());
    }
  }

  private static void refuseOthers(Path file, ObjectNode root) throws IOException {
    if (Json.isGiven(root, "bias") && !root.get("bias").asText().equals("none")) {
      throw new UnusableFolderException(
          file, "bias is " + root.get("bias") + "; adapters have no bias here");
    }
    JsonNode start = root.path("init_lora_weights");
    if (Json.isGiven(root, "init_lora_weights") && !HARMLESS_STARTS.contains(start.asText())) {
      throw new UnusableFolderException(
          file,
          "init_lora_weights is " + start + ", which changes the base model; let PEFT convert the"
              + " adapter to a plain one");
    }
    for (Map.Entry<String, JsonNode> field : root.properties()) {
      if (!FREE.contains(field.getKey()) && isSet(field.getValue())) {
        String reason =
            REASONS.getOrDefault(field.getKey(), "this option of PEFT is not computed here");
        throw new UnusableFolderException(
            file, field.getKey() + " is " + field.getValue() + ": " + reason);
      }
    }
  }

  private static boolean isSet(JsonNode value) {
    boolean off =
        value.isNull()
            || value.isContainerNode() && value.isEmpty()
            || value.isBoolean() && !value.booleanValue();
    return !off;
  }

  private static LoraTargets targets(Path file, JsonNode node) throws IOException {
    if (node.isArray() && !node.isEmpty()) {
      List<String> names = new ArrayList<>();
      for (JsonNode name : node) {
        names.add(name.asText());
      }
      return new LoraTargets.Names(names);
    }
    if (!node.isTextual()) {
      throw new UnusableFolderException(file, "target_modules names no layer");
    }
    // PEFT compares this word alone without regard to case
    if (node.asText().equalsIgnoreCase("all-linear")) {
      return new LoraTargets.AllLinear();
    }
    try {
      return new LoraTargets.Expression(Pattern.compile(node.asText()));
    } catch (PatternSyntaxException e) {
      throw new UnusableFolderException(file, "target_modules is no valid expression: " + node);
    }
  }

  static void write(Path file, LoraConfig config) throws IOException {
    ObjectNode root = Json.MAPPER.createObjectNode();
    root.putNull("auto_mapping");
    root.put(BASE, config.baseModel());
    root.put("bias", "none");
    root.put("fan_in_fan_out", false);
    root.put("inference_mode", true);
    root.put("init_lora_weights", true);
    alpha(root, config.alpha());
    root.put("lora_dropout", config.dropout());
    root.putNull("modules_to_save");
    root.put("peft_type", "LORA");
    root.put("r", config.rank());
    root.putNull("revision");
    switch (config.targets()) {
      case LoraTargets.Names names -> names.names().forEach(root.putArray("target_modules")::add);
      case LoraTargets.Expression e -> root.put("target_modules", e.pattern().pattern());
      case LoraTargets.AllLinear all -> root.put("target_modules", "all-linear");
    }
    root.put("task_type", "CAUSAL_LM");
    root.put("use_dora", false);
    root.put("use_rslora", config.rankStabilised());
    Json.write(file, root);
  }

  /** Whole where it can be: PEFT declares it so. */
  private static void alpha(ObjectNode root, double alpha) {
    if (alpha == (int) alpha) {
      root.put("lora_alpha", (int) alpha);
    } else {
      root.put("lora_alpha", alpha);
    }
  }
}
