package rubricem.gpu.weights;

/**
 * The two 16-bit formats of real numbers. Reading is exact for every bit pattern; writing rounds
 * once, to the nearest value and to the even one of two equally near, also from double, where a
 * detour over float would round twice. A value that was read is written back as the same bits; a
 * NaN stays one, though the hardware may mark one of F16 as quiet.
 */
public final class HalfFloats {
  private static final int BF16_QUIET = 0x40;

  private HalfFloats() {}

  public static float fromBf16(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  public static short toBf16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      int upper = bits >>> 16;
      // a NaN whose payload lies only in the lower half would else become an infinity
      return (short) ((upper & 0x7f) == 0 ? upper | BF16_QUIET : upper);
    }
    int even = (bits >>> 16) & 1;
    return (short) ((bits + 0x7fff + even) >>> 16);
  }

  public static short toBf16(double value) {
    return toBf16(toOdd(value));
  }

  public static float fromF16(short bits) {
    return Float.float16ToFloat(bits);
  }

  public static short toF16(float value) {
    return Float.floatToFloat16(value);
  }

  public static short toF16(double value) {
    return toF16(toOdd(value));
  }

  /**
   * The float towards zero, with its last bit set where something was lost. Float has more than
   * two bits beyond either half format, so that rounding this once more gives what one rounding of
   * the double would give.
   */
  private static float toOdd(double value) {
    float near = (float) value;
    if (near == value || Double.isNaN(value)) {
      return near;
    }
    int bits = Float.floatToRawIntBits(near);
    if (Math.abs((double) near) > Math.abs(value)) {
      bits--;
    }
    return Float.intBitsToFloat(bits | 1);
  }
}
