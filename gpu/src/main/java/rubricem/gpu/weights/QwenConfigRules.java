package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What of a configuration we do not compute, each refused by its key: going on would give a model
 * that runs and says something else than the published one. Sizes are not its matter.
 */
final class QwenConfigRules {
  private final Path file;
  private final ObjectNode root;

  private QwenConfigRules(Path file, ObjectNode root) {
    this.file = file;
    this.root = root;
  }

  static void check(Path file, ObjectNode root) throws IOException {
    QwenConfigRules rules = new QwenConfigRules(file, root);
    rules.architecture();
    rules.attention();
    rules.rope("rope_scaling");
    rules.rope("rope_parameters");
  }

  private void architecture() throws IOException {
    only("model_type", "qwen3", "only Qwen3 is computed here");
    for (JsonNode name : root.path("architectures")) {
      if (!name.asText().equals("Qwen3ForCausalLM")) {
        refuse("architectures", name, "only Qwen3ForCausalLM is computed here");
      }
    }
    if (Json.isGiven(root, "hidden_act")) {
      only("hidden_act", "silu", "Qwen3 has silu");
    }
    if (Json.isGiven(root, "quantization_config")) {
      throw new UnusableFolderException(
          file, "quantization_config is set; use the folder with unquantised weights");
    }
  }

  private void attention() throws IOException {
    off("attention_bias", "biases of the attention are not computed");
    off("use_sliding_window", "only full attention is computed");
    for (JsonNode type : root.path("layer_types")) {
      if (!type.asText().equals("full_attention")) {
        refuse("layer_types", type, "only full attention is computed");
      }
    }
    int layers = root.path("num_hidden_layers").asInt();
    if (root.path("layer_types").isArray() && root.get("layer_types").size() != layers) {
      throw new UnusableFolderException(
          file, "layer_types names another number of layers than num_hidden_layers");
    }
    if (root.path("attention_dropout").asDouble() != 0) {
      refuse("attention_dropout", root.get("attention_dropout"), "set it to 0");
    }
  }

  private void rope(String key) throws IOException {
    if (!Json.isGiven(root, key)) {
      return;
    }
    if (!(root.get(key) instanceof ObjectNode rope)) {
      throw new UnusableFolderException(file, key + " is no object");
    }
    for (String kind : List.of("rope_type", "type")) {
      if (Json.isGiven(rope, kind) && !rope.get(kind).asText().equals("default")) {
        refuse(
            key + "." + kind, rope.get(kind),
            "scaled positions are not computed here, and the weights were made for them; take a"
                + " model whose positions are not scaled");
      }
    }
    if (rope.path("partial_rotary_factor").asDouble(1) != 1) {
      refuse(key + ".partial_rotary_factor", rope.get("partial_rotary_factor"), "not computed");
    }
  }

  private void only(String key, String value, String reason) throws IOException {
    if (!root.path(key).asText().equals(value)) {
      refuse(key, root.path(key), reason);
    }
  }

  private void off(String key, String reason) throws IOException {
    if (Json.isGiven(root, key) && !root.get(key).equals(BooleanNode.FALSE)) {
      refuse(key, root.get(key), reason);
    }
  }

  private void refuse(String key, JsonNode value, String reason) throws IOException {
    String shown = value.isMissingNode() ? "missing" : value.toString();
    throw new UnusableFolderException(file, key + " is " + shown + ": " + reason);
  }
}
