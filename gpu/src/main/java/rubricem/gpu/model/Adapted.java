package rubricem.gpu.model;

import java.util.List;
import java.util.Locale;

/**
 * Which matrices of every layer carry a low-rank adapter, and by what factor it counts.
 *
 * @param modules in the order of {@link Module}; empty where all weights are trained
 * @param scale alpha / r, or what the adapter's file says instead
 */
public record Adapted(List<Module> modules, double scale) {
  /** The linear layers of Qwen3, as their names in Hugging Face folders have them. */
  public enum Module {
    Q_PROJ, K_PROJ, V_PROJ, O_PROJ, GATE_PROJ, UP_PROJ, DOWN_PROJ;

    /** The name within a layer, for example {@code self_attn.q_proj}. */
    public String path() {
      String name = name().toLowerCase(Locale.ROOT);
      return (ordinal() <= O_PROJ.ordinal() ? "self_attn." : "mlp.") + name;
    }
  }

  public Adapted {
    modules = modules.stream().sorted().distinct().toList();
  }

  public static Adapted none() {
    return new Adapted(List.of(), 0);
  }

  public boolean isNone() {
    return modules.isEmpty();
  }
}
