package rubricem.gpu.verify;

import ai.djl.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import rubricem.gpu.model.LoraWeights;
import rubricem.gpu.model.Precision;
import rubricem.gpu.model.Qwen3;
import rubricem.gpu.model.ReferenceRounding;
import rubricem.gpu.model.RotaryFrequencies;
import rubricem.gpu.weights.Dtype;
import rubricem.gpu.weights.ModelFolder;

/**
 * In what arithmetic a handed number is computed again. Transformers takes norms in 32 bits even
 * where everything else has 64, and some numbers were made with frequencies rounded to 16 bits;
 * a number can only be met to its last digits by rounding as its maker did. Ours comes first: a
 * rounding of others is tried where the plain arithmetic of the precision is not close enough.
 */
record Numerics(Precision precision, ReferenceRounding rounding) {
  /** The ways to compute a folder's numbers, ours first. */
  static List<Numerics> of(ModelFolder folder, Precision precision) {
    List<Numerics> out = new ArrayList<>();
    for (RotaryFrequencies frequencies : RotaryFrequencies.values()) {
      if (mayBe(frequencies, folder)) {
        out.add(new Numerics(precision, new ReferenceRounding(frequencies, false)));
        if (precision == Precision.FP64) {
          out.add(new Numerics(precision, new ReferenceRounding(frequencies, true)));
        }
      }
    }
    return out;
  }

  /** Whoever cast a model to the type of its weights rounded to that. */
  private static boolean mayBe(RotaryFrequencies frequencies, ModelFolder folder) {
    return switch (frequencies) {
      case FLOAT32 -> true;
      case BFLOAT16 -> folder.specs().stream().anyMatch(s -> s.dtype() == Dtype.BF16);
      case FLOAT16 -> folder.specs().stream().anyMatch(s -> s.dtype() == Dtype.F16);
    };
  }

  private String frequencies() {
    return rounding.frequencies().name().toLowerCase(Locale.ROOT);
  }

  /** The same for losses and gradients, whose tolerances leave room for norms of 64 bits. */
  static List<Numerics> ofLosses(ModelFolder folder, Precision precision) {
    return of(folder, precision).stream().filter(n -> !n.rounding().narrowNorms()).toList();
  }

  static Numerics plain(Precision precision) {
    return new Numerics(precision, ReferenceRounding.NONE);
  }

  Qwen3 open(ModelFolder folder, Device device, @Nullable LoraWeights lora) throws IOException {
    return Qwen3.of(folder.shape(), folder::tensor, device, precision, rounding, lora);
  }

  /**
   * For logits and log-probabilities, as shared/golden/README.md and issue 5 have them. On a GPU
   * the 32-bit norms inside the handed 64-bit numbers are summed in another order.
   */
  double tolerance(Device device) {
    if (precision != Precision.FP64) {
      return 1e-4;
    }
    return device.isGpu() ? 1e-5 : 1e-6;
  }

  String precisionName() {
    return precision.name().toLowerCase(Locale.ROOT);
  }

  /** Adds what of this is not plain. */
  Check mark(Check check) {
    Check marked = check.with("precision", precisionName());
    if (rounding.frequencies() != RotaryFrequencies.FLOAT32) {
      marked = marked.with("rotary", frequencies());
    }
    return rounding.narrowNorms() ? marked.with("norms", "float32") : marked;
  }

  @Override
  public String toString() {
    return precisionName()
        + (rounding.frequencies() == RotaryFrequencies.FLOAT32
            ? ", float32 frequencies"
            : ", frequencies rounded to " + frequencies())
        + (rounding.narrowNorms() ? ", norms taken in float32" : "");
  }
}
