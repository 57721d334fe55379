package rubricem.gpu.weights;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which tensors a Qwen3 of a shape has, under the names that Hugging Face folders use, in the order
 * of the model. Pure; the only place that knows these names.
 */
public final class QwenTensors {
  public static final String EMBEDDING = "model.embed_tokens.weight";
  public static final String LAST_NORM = "model.norm.weight";
  public static final String HEAD = "lm_head.weight";

  /** The linear layers of one block, the ones an adapter can sit on. */
  public static final List<String> LINEAR =
      List.of(
          "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
          "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj");

  private QwenTensors() {}

  public static String layer(int layer, String part) {
    return "model.layers." + layer + "." + part;
  }

  /** A tied head is not among them. The element type is that of a fresh model, float. */
  public static Map<String, TensorSpec> shapes(QwenShape shape) {
    Map<String, TensorSpec> out = new LinkedHashMap<>();
    put(out, EMBEDDING, shape.vocabulary(), shape.hidden());
    for (int i = 0; i < shape.layers(); i++) {
      put(out, layer(i, "input_layernorm.weight"), shape.hidden());
      for (String part : LINEAR) {
        int[] extent = linear(shape, part);
        put(out, layer(i, part + ".weight"), extent[0], extent[1]);
        if (part.equals("self_attn.o_proj")) {
          put(out, layer(i, "self_attn.q_norm.weight"), shape.headSize());
          put(out, layer(i, "self_attn.k_norm.weight"), shape.headSize());
          put(out, layer(i, "post_attention_layernorm.weight"), shape.hidden());
        }
      }
    }
    put(out, LAST_NORM, shape.hidden());
    if (!shape.tied()) {
      put(out, HEAD, shape.vocabulary(), shape.hidden());
    }
    return Collections.unmodifiableMap(out);
  }

  /** Rows (outputs) and columns (inputs) of a linear layer. */
  static int[] linear(QwenShape shape, String part) {
    int query = shape.heads() * shape.headSize();
    int keys = shape.kvHeads() * shape.headSize();
    return switch (part) {
      case "self_attn.q_proj" -> new int[] {query, shape.hidden()};
      case "self_attn.k_proj", "self_attn.v_proj" -> new int[] {keys, shape.hidden()};
      case "self_attn.o_proj" -> new int[] {shape.hidden(), query};
      case "mlp.gate_proj", "mlp.up_proj" -> new int[] {shape.intermediate(), shape.hidden()};
      case "mlp.down_proj" -> new int[] {shape.hidden(), shape.intermediate()};
      default -> throw new IllegalArgumentException("no linear layer: " + part);
    };
  }

  /** The full names of all linear layers but the head, without {@code .weight}. */
  static List<String> linearModules(QwenShape shape) {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) {
      for (String part : LINEAR) {
        out.add(layer(i, part));
      }
    }
    return out;
  }

  private static void put(Map<String, TensorSpec> out, String name, long... shape) {
    out.put(name, new TensorSpec(name, Dtype.F32, shape));
  }
}
