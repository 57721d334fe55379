package rubricem.gpu.weights;

import java.util.List;
import java.util.regex.Pattern;

/** Which linear layers an adapter sits on, in the three ways PEFT can say it. */
public sealed interface LoraTargets {
  /** Whether a layer such as {@code model.layers.0.mlp.up_proj} is meant. */
  boolean matches(String module);

  /** A whole name, or what stands behind a dot in it. */
  record Names(List<String> names) implements LoraTargets {
    public Names {
      names = List.copyOf(names);
    }

    @Override
    public boolean matches(String module) {
      return names.stream().anyMatch(n -> module.equals(n) || module.endsWith("." + n));
    }
  }

  /** An expression for the whole name. */
  record Expression(Pattern pattern) implements LoraTargets {
    @Override
    public boolean matches(String module) {
      return pattern.matcher(module).matches();
    }
  }

  /** Every linear layer but the output head. */
  record AllLinear() implements LoraTargets {
    @Override
    public boolean matches(String module) {
      return true;
    }
  }
}
