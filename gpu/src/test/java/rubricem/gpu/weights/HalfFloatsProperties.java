package rubricem.gpu.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HalfFloatsProperties {
  @Example
  void every_pattern_of_both_formats_comes_back_by_float_and_by_double() {
    for (int i = 0; i < 1 << 16; i++) {
      short bits = (short) i;
      assertEquals(bits, HalfFloats.toBf16(HalfFloats.fromBf16(bits)), "bf16 " + i);
      float half = HalfFloats.fromF16(bits);
      assertEquals((i & 0x7fff) > 0x7c00, Float.isNaN(half));
      assertEquals(Float.isNaN(half), Float.isNaN(HalfFloats.fromF16(HalfFloats.toF16(half))));
      if (!Float.isNaN(half)) {
        assertEquals(bits, HalfFloats.toF16(half), "f16 " + i);
        assertEquals(bits, HalfFloats.toF16((double) half), "f16 by double " + i);
      }
      if (!Float.isNaN(HalfFloats.fromBf16(bits))) {
        assertEquals(bits, HalfFloats.toBf16((double) HalfFloats.fromBf16(bits)), "bf16 " + i);
      }
    }
  }

  @Example
  void known_values_are_read_as_the_formats_define_them() {
    assertEquals(1f, HalfFloats.fromBf16((short) 0x3f80));
    assertEquals(0x1p-133f, HalfFloats.fromBf16((short) 1));
    assertEquals(1f, HalfFloats.fromF16((short) 0x3c00));
    assertEquals(0x1p-24f, HalfFloats.fromF16((short) 1));
    assertEquals(65504f, HalfFloats.fromF16((short) 0x7bff));
    assertEquals(Float.NEGATIVE_INFINITY, HalfFloats.fromF16((short) 0xfc00));
    assertTrue(Float.isNaN(HalfFloats.fromBf16(HalfFloats.toBf16(Float.NaN))));
    // a payload in the lower half alone must not turn into an infinity
    assertTrue(
        Float.isNaN(HalfFloats.fromBf16(HalfFloats.toBf16(Float.intBitsToFloat(0x7f800001)))));
  }

  @Example
  void ties_go_to_the_even_neighbour_and_are_not_rounded_twice() {
    assertEquals((short) 0x3f80, HalfFloats.toBf16(1f + 0x1p-8f));
    assertEquals((short) 0x3f82, HalfFloats.toBf16(1f + 3 * 0x1p-8f));
    // as float these are exactly the ties above
    assertEquals((short) 0x3f81, HalfFloats.toBf16(1 + 0x1p-8 + 0x1p-40));
    assertEquals((short) 0x3f81, HalfFloats.toBf16(1 + 3 * 0x1p-8 - 0x1p-40));
    assertEquals((short) 0x3c01, HalfFloats.toF16(1 + 0x1p-11 + 0x1p-40));
    assertEquals((short) 0x3c00, HalfFloats.toF16(1 + 0x1p-11 - 0x1p-40));
    assertEquals(Float.POSITIVE_INFINITY, HalfFloats.fromBf16(HalfFloats.toBf16(1e300)));
    assertEquals((short) 0x8000, HalfFloats.toF16(-1e-300));
  }

  @Property
  void the_nearest_of_all_values_is_taken(@ForAll double value) {
    nearest(value, HalfFloats.toBf16(value), true);
    double scaled = Math.scalb(value % 1, 10);
    nearest(scaled, HalfFloats.toF16(scaled), false);
  }

  private static void nearest(double value, short bits, boolean brain) {
    double got = read(bits, brain);
    if (Double.isInfinite(got) || Double.isNaN(value)) {
      return;
    }
    BigDecimal distance = distance(value, got);
    for (int step : new int[] {-1, 1}) {
      int magnitude = (bits & 0x7fff) + step;
      double other = magnitude < 0 ? 0 : read((short) (bits & 0x8000 | magnitude), brain);
      if (!Double.isInfinite(other) && !Double.isNaN(other)) {
        int order = distance.compareTo(distance(value, other));
        assertTrue(order < 0 || order == 0 && (bits & 1) == 0 || got == other, value + " " + got);
      }
    }
  }

  private static double read(short bits, boolean brain) {
    return brain ? HalfFloats.fromBf16(bits) : HalfFloats.fromF16(bits);
  }

  private static BigDecimal distance(double a, double b) {
    return new BigDecimal(a).subtract(new BigDecimal(b)).abs();
  }
}
