package rubricem.gpu.model;

/** How numbers are kept and multiplied. */
public enum Precision {
  /** Weights and matrix products in 32 bits: the default. */
  FP32,
  /** Both in 64 bits: for verification. */
  FP64,
  /** Weights in 32 bits, matrix products of 16-bit brain floats. */
  BF16
}
