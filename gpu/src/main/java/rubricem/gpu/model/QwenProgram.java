package rubricem.gpu.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import rubricem.gpu.script.ProgramText;
import rubricem.gpu.weights.QwenShape;

/**
 * The text of the programs of one Qwen3: sizes written in, lines for adapters and for the type of
 * the matrix products chosen. Pure; {@link rubricem.gpu.script.Script} loads what it gives.
 */
public final class QwenProgram {
  /** Arrays of a layer among the master weights: norm, qkv, head norms, o, norm, gate-up, down. */
  static final int MASTER_OF_LAYER = 7;

  /** Arrays of a layer among the effective weights: qkv, head norms, o, gate-up, down. */
  static final int EFFECTIVE_OF_LAYER = 5;

  /** Queries that attend at once where a document is short. */
  private static final int BLOCK = 128;

  /**
   * Longest document whose attention is by plain products, which keep half the square of its length
   * for each head; beyond, libtorch's fused kernel, which keeps nothing. The products took four
   * fifths of the kernel's time at 512, and as long at 1,024.
   */
  public static final int BLOCKS_UP_TO = 512;

  /** Weights of so many parameters stay in a core's caches from step to step. */
  private static final long NEAR_PARAMETERS = 2_000_000;

  private static final int FLOAT = 6;
  private static final int BFLOAT16 = 15;
  private static final int DOUBLE = 7;

  private QwenProgram() {}

  /** Forward, backward and log-probabilities, for a CPU. */
  public static String model(QwenShape shape, Precision precision, Adapted adapted) {
    return model(shape, precision, adapted, BLOCKS_UP_TO);
  }

  /**
   * The same for any device.
   *
   * @param blocksUpTo longest document whose attention is by plain products; 0 on a GPU, whose
   *     fused kernels are faster at any length
   */
  public static String model(
      QwenShape shape, Precision precision, Adapted adapted, int blocksUpTo) {
    return model(shape, precision, adapted, blocksUpTo, false);
  }

  /** @param narrowNorms norms are taken in 32 bits, as transformers does in every precision */
  static String model(
      QwenShape shape, Precision precision, Adapted adapted, int blocksUpTo,
      boolean narrowNorms) {
    String norms = narrowNorms ? "narrownorms" : "norms";
    return fill("qwen3", shape, precision, adapted, blocksUpTo, Set.of(norms));
  }

  /** What lies between master weights, effective weights, their gradients and the optimiser. */
  public static String weights(QwenShape shape, Precision precision, Adapted adapted) {
    return fill("weights", shape, precision, adapted, 0, Set.of());
  }

  /** Sampling with a cache of keys and values. */
  public static String decode(QwenShape shape, Precision precision) {
    return fill("decode", shape, precision, Adapted.none(), 0, Set.of());
  }

  private static String fill(
      String text, QwenShape s, Precision precision, Adapted adapted, int blocksUpTo,
      Set<String> more) {
    Map<String, Object> values = values(s, precision, adapted);
    values.put("BLOCKS_UP_TO", blocksUpTo);
    Set<String> tags = tags(s, precision, adapted);
    tags.addAll(more);
    return ProgramText.fill(ProgramText.resource(text), tags, values, lines(s, adapted));
  }

  private static Set<String> tags(QwenShape s, Precision precision, Adapted adapted) {
    Set<String> tags = new HashSet<>();
    tags.add(precision == Precision.BF16 ? "bf16" : "plain");
    tags.add(adapted.isNone() ? "full" : "adapters");
    tags.add(s.heads() == s.kvHeads() ? "alone" : "shared");
    tags.add(s.tied() ? "tied" : "untied");
    tags.add(s.parameters() > NEAR_PARAMETERS ? "cold" : "near");
    return tags;
  }

  private static Map<String, Object> values(QwenShape s, Precision precision, Adapted adapted) {
    int norm = 1 + MASTER_OF_LAYER * s.layers();
    Map<String, Object> v = new HashMap<>();
    v.put("EPSILON", Double.toString(s.rmsEpsilon()));
    v.put("HIDDEN", s.hidden());
    v.put("LAYERS", s.layers());
    v.put("HEADS", s.heads());
    v.put("KV_HEADS", s.kvHeads());
    v.put("QK_HEADS", s.heads() + s.kvHeads());
    v.put("SHARED", s.heads() / s.kvHeads());
    v.put("HEAD", s.headSize());
    v.put("HALF", s.headSize() / 2);
    v.put("QUERY", s.heads() * s.headSize());
    v.put("KEY", s.kvHeads() * s.headSize());
    v.put("QUERY_KEY", (s.heads() + s.kvHeads()) * s.headSize());
    v.put("INNER", s.intermediate());
    v.put("LAST", 1 + EFFECTIVE_OF_LAYER * s.layers());
    v.put("NORM_AT", norm);
    v.put("HEAD_AT", s.tied() ? 0 : norm + 1);
    v.put("OUTER_HEAD", s.tied() ? 0 : 2);
    v.put("TYPE", precision == Precision.FP64 ? DOUBLE : FLOAT);
    v.put("ATTENTION_SCALE", Double.toString(1 / Math.sqrt(s.headSize())));
    v.put("BLOCK", BLOCK);
    v.put("BLOCK_TYPE", precision == Precision.BF16 ? BFLOAT16 : v.get("TYPE"));
    v.put("ADAPTERS", 2 * adapted.modules().size());
    v.put("SCALE", Double.toString(adapted.scale()));
    for (int i : new int[] {0, 2, 3, 4}) {
      v.put("GRAD_" + i, adapted.isNone() ? "d[torch.add(o, " + i + ")]" : "dy");
    }
    v.put("GRAD_LAST", adapted.isNone() ? "d[" + v.get("LAST") + "]" : "hn");
    return v;
  }

  private static Map<String, List<String>> lines(QwenShape s, Adapted adapted) {
    Map<String, List<String>> lines = new HashMap<>();
    for (String gap :
        List.of(
            "ADAPT_QKV", "ADAPT_O", "ADAPT_GU", "ADAPT_DOWN", "BACK_QKV", "BACK_O", "BACK_GU",
            "BACK_DOWN", "FOLD_ADAPTERS", "UNFOLD_ADAPTERS", "MERGE_ADAPTERS")) {
      lines.put(gap, new ArrayList<>());
    }
    int j = 0;
    for (Adapted.Module module : adapted.modules()) {
      String a = "a[torch.add(p, " + 2 * j + ")]";
      String b = "a[torch.add(p, " + (2 * j + 1) + ")]";
      String da = "d[torch.add(p, " + 2 * j + ")]";
      String db = "d[torch.add(p, " + (2 * j + 1) + ")]";
      int at = column(module, s);
      String pair = a + ", " + b;
      place(lines, module, pair, da + ", " + db, at);
      lines.get("FOLD_ADAPTERS").add("torch.append(e, " + folded(module, a) + ")");
      lines.get("FOLD_ADAPTERS").add("torch.append(e, " + b + ")");
      lines.get("UNFOLD_ADAPTERS").add("torch.append(e, " + folded(module, da) + ")");
      lines.get("UNFOLD_ADAPTERS").add("torch.append(e, " + db + ")");
      lines.get("MERGE_ADAPTERS")
          .add(
              "torch.addmm_(torch.narrow(" + matrix(module) + ", 0, " + at + ", torch.size(" + b
                  + ", 0)), " + b + ", " + a + ", beta=1, alpha=" + adapted.scale() + ")");
      j++;
    }
    return lines;
  }

  private static void place(
      Map<String, List<String>> lines, Adapted.Module module, String pair, String grads, int at) {
    switch (module) {
      case Q_PROJ, K_PROJ, V_PROJ -> {
        lines.get("ADAPT_QKV").add("self.adapt(qkv, " + at + ", xn, " + pair + ")");
        lines.get("BACK_QKV")
            .add("self.adapt_back(dqkv, " + at + ", s[1], " + pair + ", " + grads + ", dxn, z)");
      }
      case O_PROJ -> {
        lines.get("ADAPT_O").add("self.adapt(x2, 0, ad, " + pair + ")");
        lines.get("BACK_O").add("self.adapt_back(dx2, 0, ad, " + pair + ", " + grads + ", da, z)");
      }
      case GATE_PROJ, UP_PROJ -> {
        lines.get("ADAPT_GU").add("self.adapt(gu, " + at + ", xm, " + pair + ")");
        lines.get("BACK_GU")
            .add("self.adapt_back(dgu, " + at + ", xm, " + pair + ", " + grads + ", dxm, z)");
      }
      case DOWN_PROJ -> {
        lines.get("ADAPT_DOWN").add("self.adapt(y, 0, h, " + pair + ")");
        lines.get("BACK_DOWN").add("self.adapt_back(dy, 0, h, " + pair + ", " + grads + ", dh, z)");
      }
    }
  }

  /** Where the rows of a module begin in the fused matrix that holds it. */
  static int column(Adapted.Module module, QwenShape s) {
    int head = s.headSize();
    return switch (module) {
      case Q_PROJ, O_PROJ, GATE_PROJ, DOWN_PROJ -> 0;
      case K_PROJ -> s.heads() * head;
      case V_PROJ -> (s.heads() + s.kvHeads()) * head;
      case UP_PROJ -> s.intermediate();
    };
  }

  private static String matrix(Adapted.Module module) {
    return switch (module) {
      case Q_PROJ, K_PROJ, V_PROJ -> "wqkv";
      case O_PROJ -> "wo";
      case GATE_PROJ, UP_PROJ -> "wgu";
      case DOWN_PROJ -> "wd";
    };
  }

  private static String folded(Adapted.Module module, String a) {
    return switch (module) {
      case Q_PROJ, K_PROJ, V_PROJ -> "torch.mul(" + a + ", m[o])";
      case GATE_PROJ, UP_PROJ -> "torch.mul(" + a + ", m[torch.add(o, 4)])";
      case O_PROJ, DOWN_PROJ -> a;
    };
  }
}
