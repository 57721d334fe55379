package rubricem.gpu.model;

/**
 * In what type the frequencies of the rotation are. Models are made and served with 32-bit ones.
 * A program that casts a whole model to 16 bits, buffers included, rounds them too; numbers made
 * that way can only be met by doing the same.
 */
public enum RotaryFrequencies {
  FLOAT32,
  BFLOAT16,
  FLOAT16;

  float rounded(float frequency) {
    return switch (this) {
      case FLOAT32 -> frequency;
      case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16(frequency));
      case BFLOAT16 -> {
        int bits = Float.floatToRawIntBits(frequency);
        // to the nearest, ties to even; frequencies are finite and positive
        int half = 0x7fff + (bits >>> 16 & 1);
        yield Float.intBitsToFloat(bits + half & 0xffff0000);
      }
    };
  }
}
