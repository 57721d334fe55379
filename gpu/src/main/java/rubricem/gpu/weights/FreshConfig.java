package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The configuration of a model that is made here, with every key that readers look for. */
final class FreshConfig {
  private FreshConfig() {}

  static ObjectNode of(QwenShape shape, Dtype dtype) {
    ObjectNode root = Json.MAPPER.createObjectNode();
    root.putArray("architectures").add("Qwen3ForCausalLM");
    root.put("attention_bias", false);
    root.put("attention_dropout", 0.0);
    shape.bosId().ifPresentOrElse(
        id -> root.put("bos_token_id", id), () -> root.putNull("bos_token_id"));
    eos(root, shape);
    root.put("head_dim", shape.headSize());
    root.put("hidden_act", "silu");
    root.put("hidden_size", shape.hidden());
    root.put("initializer_range", 0.02);
    root.put("intermediate_size", shape.intermediate());
    root.put("max_position_embeddings", shape.maxPositions());
    root.put("max_window_layers", shape.layers());
    root.put("model_type", "qwen3");
    root.put("num_attention_heads", shape.heads());
    root.put("num_hidden_layers", shape.layers());
    root.put("num_key_value_heads", shape.kvHeads());
    shape.padId().ifPresentOrElse(
        id -> root.put("pad_token_id", id), () -> root.putNull("pad_token_id"));
    root.put("rms_norm_eps", shape.rmsEpsilon());
    root.putNull("rope_scaling");
    root.put("rope_theta", shape.ropeTheta());
    root.putNull("sliding_window");
    root.put("tie_word_embeddings", shape.tied());
    root.put("torch_dtype", dtype.torchName());
    root.put("use_cache", true);
    root.put("use_sliding_window", false);
    root.put("vocab_size", shape.vocabulary());
    return root;
  }

  private static void eos(ObjectNode root, QwenShape shape) {
    switch (shape.eosIds().size()) {
      case 0 -> root.putNull("eos_token_id");
      case 1 -> root.put("eos_token_id", shape.eosIds().getFirst());
      default -> shape.eosIds().forEach(root.putArray("eos_token_id")::add);
    }
  }
}
