package rubricem.gpu.weights;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

/**
 * A tensor as it lies in a file: little endian, row after row. The bytes are read only and may be a
 * mapping of the file, which then must not be cut while this is in use. Conversions to float and
 * double are exact where the target can hold the value; the way back rounds to nearest, ties to
 * even. Two are equal where specification and bytes are.
 */
public record StoredTensor(String name, Dtype dtype, long[] shape, ByteBuffer bytes) {
  public StoredTensor {
    shape = shape.clone();
    bytes = bytes.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long needed = new TensorSpec(name, dtype, shape).bytes();
    if (needed != bytes.remaining()) {
      throw new IllegalArgumentException(
          name + " needs " + needed + " bytes and has " + bytes.remaining());
    }
  }

  @Override
  public long[] shape() {
    return shape.clone();
  }

  /** A view of its own position, so that readers do not disturb each other. */
  @Override
  public ByteBuffer bytes() {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  public TensorSpec spec() {
    return new TensorSpec(name, dtype, shape);
  }

  public StoredTensor renamed(String other) {
    return new StoredTensor(other, dtype, shape, bytes);
  }

  /** All elements; a double beyond float's precision is rounded. */
  public float[] toFloats() {
    float[] out = new float[elements()];
    switch (dtype) {
      case F32 -> bytes().asFloatBuffer().get(out);
      case F64 -> {
        DoubleBuffer in = bytes().asDoubleBuffer();
        for (int i = 0; i < out.length; i++) {
          out[i] = (float) in.get(i);
        }
      }
      case BF16 -> {
        ShortBuffer in = bytes().asShortBuffer();
        for (int i = 0; i < out.length; i++) {
          out[i] = HalfFloats.fromBf16(in.get(i));
        }
      }
      case F16 -> {
        ShortBuffer in = bytes().asShortBuffer();
        for (int i = 0; i < out.length; i++) {
          out[i] = HalfFloats.fromF16(in.get(i));
        }
      }
      case BOOL, U8, I8, F8_E5M2, F8_E4M3, I16, U16, I32, U32, I64, U64 -> throw notReal(dtype);
    }
    return out;
  }

  /** All elements, exact. */
  public double[] toDoubles() {
    double[] out = new double[elements()];
    if (dtype == Dtype.F64) {
      bytes().asDoubleBuffer().get(out);
      return out;
    }
    float[] narrow = toFloats();
    for (int i = 0; i < out.length; i++) {
      out[i] = narrow[i];
    }
    return out;
  }

  /** All elements of a whole-number type that a long can hold. */
  public long[] toLongs() {
    long[] out = new long[elements()];
    ByteBuffer in = bytes();
    for (int i = 0; i < out.length; i++) {
      out[i] =
          switch (dtype) {
            case I64 -> in.getLong(i * 8);
            case I32 -> in.getInt(i * 4);
            case U32 -> Integer.toUnsignedLong(in.getInt(i * 4));
            case I16 -> in.getShort(i * 2);
            case U16 -> Short.toUnsignedInt(in.getShort(i * 2));
            case I8 -> in.get(i);
            case U8, BOOL -> Byte.toUnsignedInt(in.get(i));
            case U64, F8_E5M2, F8_E4M3, F16, BF16, F32, F64 ->
                throw new IllegalStateException(dtype + " is not read as whole numbers");
          };
    }
    return out;
  }

  public static StoredTensor of(String name, Dtype dtype, long[] shape, float[] values) {
    ByteBuffer out = allocate(dtype, values.length);
    switch (dtype) {
      case F32 -> out.asFloatBuffer().put(values);
      case F64 -> {
        DoubleBuffer to = out.asDoubleBuffer();
        for (float value : values) {
          to.put(value);
        }
      }
      case BF16 -> {
        ShortBuffer to = out.asShortBuffer();
        for (float value : values) {
          to.put(HalfFloats.toBf16(value));
        }
      }
      case F16 -> {
        ShortBuffer to = out.asShortBuffer();
        for (float value : values) {
          to.put(HalfFloats.toF16(value));
        }
      }
      case BOOL, U8, I8, F8_E5M2, F8_E4M3, I16, U16, I32, U32, I64, U64 -> throw notReal(dtype);
    }
    return new StoredTensor(name, dtype, shape, out);
  }

  public static StoredTensor of(String name, Dtype dtype, long[] shape, double[] values) {
    ByteBuffer out = allocate(dtype, values.length);
    switch (dtype) {
      case F64 -> out.asDoubleBuffer().put(values);
      case F32 -> {
        FloatBuffer to = out.asFloatBuffer();
        for (double value : values) {
          to.put((float) value);
        }
      }
      case BF16 -> {
        ShortBuffer to = out.asShortBuffer();
        for (double value : values) {
          to.put(HalfFloats.toBf16(value));
        }
      }
      case F16 -> {
        ShortBuffer to = out.asShortBuffer();
        for (double value : values) {
          to.put(HalfFloats.toF16(value));
        }
      }
      case BOOL, U8, I8, F8_E5M2, F8_E4M3, I16, U16, I32, U32, I64, U64 -> throw notReal(dtype);
    }
    return new StoredTensor(name, dtype, shape, out);
  }

  public static StoredTensor of(String name, long[] shape, long[] values) {
    ByteBuffer out = allocate(Dtype.I64, values.length);
    out.asLongBuffer().put(values);
    return new StoredTensor(name, Dtype.I64, shape, out);
  }

  private int elements() {
    return bytes.remaining() / dtype.bytes();
  }

  private static ByteBuffer allocate(Dtype dtype, int elements) {
    int size = Math.multiplyExact(dtype.bytes(), elements);
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static IllegalStateException notReal(Dtype dtype) {
    return new IllegalStateException(dtype + " holds no real numbers that are read here");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredTensor that
        && spec().equals(that.spec())
        && bytes.equals(that.bytes);
  }

  @Override
  public int hashCode() {
    return spec().hashCode();
  }

  @Override
  public String toString() {
    return spec().toString();
  }
}
