package rubricem.gpu.loss;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A forward pass of a small, tied float32 Qwen3 in plain double loops, one position after the other
 * as the formulas have it: slow and without any library, so that handed losses and gradients can be
 * compared with ours. The handed log-probabilities are about 1e-6 away from these: transformers
 * takes norms and rotations in float32, whatever the rest is in.
 */
final class DoubleQwen3 {
  private final JsonNode config;
  private final Map<String, double[][]> weights = new HashMap<>();
  private final int heads;
  private final int keyHeads;
  private final int size;
  private final double epsilon;

  DoubleQwen3(Path folder) throws IOException {
    ObjectMapper json = new ObjectMapper();
    config = json.readTree(folder.resolve("config.json").toFile());
    heads = config.get("num_attention_heads").asInt();
    keyHeads = config.get("num_key_value_heads").asInt();
    size = config.get("head_dim").asInt();
    epsilon = config.get("rms_norm_eps").asDouble();
    ByteBuffer file =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("model.safetensors")))
            .order(ByteOrder.LITTLE_ENDIAN);
    int header = (int) file.getLong(0);
    JsonNode tensors = json.readTree(file.array(), 8, header);
    for (Map.Entry<String, JsonNode> tensor : tensors.properties()) {
      if (tensor.getValue().has("shape")) {
        weights.put(tensor.getKey(), read(file, 8 + header, tensor.getValue()));
      }
    }
  }

  private static double[][] read(ByteBuffer file, int base, JsonNode tensor) {
    JsonNode shape = tensor.get("shape");
    int columns = shape.get(shape.size() - 1).asInt();
    int rows = shape.size() == 1 ? 1 : shape.get(0).asInt();
    int at = base + tensor.get("data_offsets").get(0).asInt();
    double[][] matrix = new double[rows][columns];
    for (double[] row : matrix) {
      for (int c = 0; c < columns; c++, at += Float.BYTES) {
        row[c] = file.getFloat(at);
      }
    }
    return matrix;
  }

  /**
   * @param normed of each position, the last hidden state divided by its root mean square
   * @param logProbs of each position, of every token that may come next
   */
  record Pass(double[][] normed, double[][] logProbs) {
    /** Of every token given those before it; the first has none and gets 0. */
    double[] ofTokens(int[] ids) {
      double[] own = new double[ids.length];
      for (int t = 1; t < ids.length; t++) {
        own[t] = logProbs[t - 1][ids[t]];
      }
      return own;
    }
  }

  /** The output matrix, which is that of the input too. */
  double[][] embedding() {
    return weights.get("model.embed_tokens.weight");
  }

  Pass forward(int[] ids) {
    double[][] x = new double[ids.length][];
    Arrays.setAll(x, t -> embedding()[ids[t]].clone());
    for (int layer = 0; layer < config.get("num_hidden_layers").asInt(); layer++) {
      attend("model.layers." + layer + ".", x);
      for (double[] position : x) {
        add(position, feed("model.layers." + layer + ".", position));
      }
    }
    double[][] normed = new double[ids.length][];
    double[][] logProbs = new double[ids.length][];
    for (int t = 0; t < ids.length; t++) {
      double[] ones = new double[x[t].length];
      Arrays.fill(ones, 1);
      normed[t] = norm(x[t], ones);
      logProbs[t] = logSoftmax(times(embedding(), norm(x[t], row("model.norm.weight"))));
    }
    return new Pass(normed, logProbs);
  }

  private double[] row(String name) {
    return weights.get(name)[0];
  }

  private void attend(String layer, double[][] x) {
    double[][] keys = new double[x.length][];
    double[][] values = new double[x.length][];
    double[][] queries = new double[x.length][];
    for (int t = 0; t < x.length; t++) {
      double[] in = norm(x[t], row(layer + "input_layernorm.weight"));
      queries[t] = turned(times(weights.get(layer + "self_attn.q_proj.weight"), in),
          row(layer + "self_attn.q_norm.weight"), heads, t);
      keys[t] = turned(times(weights.get(layer + "self_attn.k_proj.weight"), in),
          row(layer + "self_attn.k_norm.weight"), keyHeads, t);
      values[t] = times(weights.get(layer + "self_attn.v_proj.weight"), in);
    }
    for (int t = 0; t < x.length; t++) {
      double[] out = new double[heads * size];
      for (int h = 0; h < heads; h++) {
        int from = h / (heads / keyHeads) * size;
        double[] scores = new double[t + 1];
        for (int s = 0; s <= t; s++) {
          for (int i = 0; i < size; i++) {
            scores[s] += queries[t][h * size + i] * keys[s][from + i] / Math.sqrt(size);
          }
        }
        double[] shares = logSoftmax(scores);
        for (int s = 0; s <= t; s++) {
          for (int i = 0; i < size; i++) {
            out[h * size + i] += Math.exp(shares[s]) * values[s][from + i];
          }
        }
      }
      add(x[t], times(weights.get(layer + "self_attn.o_proj.weight"), out));
    }
  }

  /** Each head normed and rotated by its position. */
  private double[] turned(double[] all, double[] scale, int count, int position) {
    double theta = config.get("rope_parameters").get("rope_theta").asDouble();
    double[] turned = new double[all.length];
    for (int h = 0; h < count; h++) {
      double[] head = norm(Arrays.copyOfRange(all, h * size, (h + 1) * size), scale);
      for (int i = 0; i < size / 2; i++) {
        double angle = position * Math.pow(theta, -2.0 * i / size);
        double a = head[i];
        double b = head[i + size / 2];
        turned[h * size + i] = a * Math.cos(angle) - b * Math.sin(angle);
        turned[h * size + i + size / 2] = b * Math.cos(angle) + a * Math.sin(angle);
      }
    }
    return turned;
  }

  private double[] feed(String layer, double[] x) {
    double[] in = norm(x, row(layer + "post_attention_layernorm.weight"));
    double[] gate = times(weights.get(layer + "mlp.gate_proj.weight"), in);
    double[] up = times(weights.get(layer + "mlp.up_proj.weight"), in);
    for (int i = 0; i < gate.length; i++) {
      up[i] *= gate[i] / (1 + Math.exp(-gate[i]));
    }
    return times(weights.get(layer + "mlp.down_proj.weight"), up);
  }

  private double[] norm(double[] x, double[] scale) {
    double squares = Arrays.stream(x).map(v -> v * v).sum();
    double factor = 1 / Math.sqrt(squares / x.length + epsilon);
    double[] normed = new double[x.length];
    Arrays.setAll(normed, i -> x[i] * factor * scale[i]);
    return normed;
  }

  private static double[] times(double[][] matrix, double[] x) {
    double[] product = new double[matrix.length];
    for (int r = 0; r < matrix.length; r++) {
      for (int c = 0; c < x.length; c++) {
        product[r] += matrix[r][c] * x[c];
      }
    }
    return product;
  }

  private static double[] logSoftmax(double[] logits) {
    double max = Arrays.stream(logits).max().orElseThrow();
    double sum = Math.log(Arrays.stream(logits).map(x -> Math.exp(x - max)).sum()) + max;
    return Arrays.stream(logits).map(x -> x - sum).toArray();
  }

  private static void add(double[] sum, double[] more) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += more[i];
    }
  }
}
