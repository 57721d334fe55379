package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import rubricem.gpu.weights.QwenShape;
import rubricem.gpu.weights.QwenTensors;

/**
 * Which rows of which fused array each weight of a Hugging Face folder fills. Matrices that read
 * the same input lie under each other as one, so that one product serves them; rows of queries and
 * keys have the two halves of a head interleaved, because the rotation is then a product of
 * complex numbers. Attention and head norms do not see the order, so nothing but the place changes.
 *
 * @param parts every weight of the folder once
 * @param shapes of the fused arrays, in their order
 */
record FusedLayout(List<Part> parts, List<long[]> shapes) {
  /**
   * One weight of the folder.
   *
   * @param name as the folder has it
   * @param array index of the fused array
   * @param at first row there
   * @param columns elements of a row; 1 for what is a vector in the folder
   * @param order for each row of the part, the row it has in the folder
   */
  record Part(String name, int array, int at, int columns, int[] order) {
    int rows() {
      return order.length;
    }

    /** Copies folder rows into fused rows; both arrays hold float or both double. */
    void fuse(Object folder, Object fused) {
      for (int i = 0; i < order.length; i++) {
        System.arraycopy(folder, order[i] * columns, fused, (at + i) * columns, columns);
      }
    }

    /** The way back. */
    void part(Object fused, Object folder) {
      for (int i = 0; i < order.length; i++) {
        System.arraycopy(fused, (at + i) * columns, folder, order[i] * columns, columns);
      }
    }
  }

  static FusedLayout of(QwenShape s) {
    List<Part> parts = new ArrayList<>();
    List<long[]> shapes = new ArrayList<>();
    parts.add(matrix(QwenTensors.EMBEDDING, 0, 0, s.hidden(), plain(s.vocabulary())));
    shapes.add(new long[] {s.vocabulary(), s.hidden()});
    for (int layer = 0; layer < s.layers(); layer++) {
      layer(s, layer, parts, shapes);
    }
    int norm = 1 + QwenProgram.MASTER_OF_LAYER * s.layers();
    parts.add(matrix(QwenTensors.LAST_NORM, norm, 0, 1, plain(s.hidden())));
    shapes.add(new long[] {s.hidden()});
    if (!s.tied()) {
      parts.add(matrix(QwenTensors.HEAD, norm + 1, 0, s.hidden(), plain(s.vocabulary())));
      shapes.add(new long[] {s.vocabulary(), s.hidden()});
    }
    return new FusedLayout(List.copyOf(parts), List.copyOf(shapes));
  }

  private static void layer(QwenShape s, int layer, List<Part> parts, List<long[]> shapes) {
    int o = 1 + QwenProgram.MASTER_OF_LAYER * layer;
    int d = s.headSize();
    int q = s.heads() * d;
    int kv = s.kvHeads() * d;
    int h = s.hidden();
    int inner = s.intermediate();
    parts.add(vector(layer, "input_layernorm", o, 0, plain(h)));
    parts.add(linear(layer, "self_attn.q_proj", o + 1, 0, h, rotated(s.heads(), d)));
    parts.add(linear(layer, "self_attn.k_proj", o + 1, q, h, rotated(s.kvHeads(), d)));
    parts.add(linear(layer, "self_attn.v_proj", o + 1, q + kv, h, plain(kv)));
    parts.add(vector(layer, "self_attn.q_norm", o + 2, 0, rotated(1, d)));
    parts.add(vector(layer, "self_attn.k_norm", o + 2, d, rotated(1, d)));
    parts.add(linear(layer, "self_attn.o_proj", o + 3, 0, q, plain(h)));
    parts.add(vector(layer, "post_attention_layernorm", o + 4, 0, plain(h)));
    parts.add(linear(layer, "mlp.gate_proj", o + 5, 0, h, plain(inner)));
    parts.add(linear(layer, "mlp.up_proj", o + 5, inner, h, plain(inner)));
    parts.add(linear(layer, "mlp.down_proj", o + 6, 0, inner, plain(h)));
    shapes.addAll(
        List.of(
            new long[] {h}, new long[] {q + 2L * kv, h}, new long[] {2, d}, new long[] {h, q},
            new long[] {h}, new long[] {2L * inner, h}, new long[] {h, inner}));
  }

  private static Part linear(
      int layer, String path, int array, int at, int columns, int[] order) {
    return matrix(QwenTensors.layer(layer, path + ".weight"), array, at, columns, order);
  }

  private static Part vector(int layer, String path, int array, int at, int[] order) {
    return linear(layer, path, array, at, 1, order);
  }

  private static Part matrix(String name, int array, int at, int columns, int[] order) {
    return new Part(name, array, at, columns, order);
  }

  static int[] plain(int rows) {
    return IntStream.range(0, rows).toArray();
  }

  /** Element 2j of a head is its folder's element j, 2j + 1 is j + size / 2. */
  static int[] rotated(int heads, int size) {
    int[] order = new int[heads * size];
    for (int head = 0; head < heads; head++) {
      for (int j = 0; j < size / 2; j++) {
        order[head * size + 2 * j] = head * size + j;
        order[head * size + 2 * j + 1] = head * size + j + size / 2;
      }
    }
    return order;
  }
}
