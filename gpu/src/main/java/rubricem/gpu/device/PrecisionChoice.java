package rubricem.gpu.device;

import rubricem.gpu.model.Precision;

/** In what a model is trained, as a user says it. */
public enum PrecisionChoice {
  /** 32 bits throughout. */
  FP32,
  /** Weights in 32 bits, matrix products of 16-bit brain floats. */
  BF16,
  /** The second where this machine is much faster with it. */
  AUTO;

  public Precision on(MatmulRates rates) {
    return switch (this) {
      case FP32 -> Precision.FP32;
      case BF16 -> Precision.BF16;
      case AUTO -> rates.choice();
    };
  }
}
