package rubricem.gpu.weights;

import java.util.Arrays;
import java.util.Objects;

/** Name, element type and shape of a tensor; equal by content. */
public record TensorSpec(String name, Dtype dtype, long[] shape) {
  public TensorSpec {
    shape = shape.clone();
    elements(shape);
  }

  @Override
  public long[] shape() {
    return shape.clone();
  }

  public long elements() {
    return elements(shape);
  }

  public long bytes() {
    return Math.multiplyExact(elements(), (long) dtype.bytes());
  }

  /** @throws ArithmeticException where the product is beyond a long */
  static long elements(long[] shape) {
    long product = 1;
    for (long extent : shape) {
      if (extent < 0) {
        throw new IllegalArgumentException("negative extent in " + Arrays.toString(shape));
      }
      product = Math.multiplyExact(product, extent);
    }
    return product;
  }

  boolean hasShape(long[] other) {
    return Arrays.equals(shape, other);
  }

  String describe() {
    return dtype + Arrays.toString(shape);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorSpec that
        && name.equals(that.name)
        && dtype == that.dtype
        && Arrays.equals(shape, that.shape);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, dtype, Arrays.hashCode(shape));
  }

  @Override
  public String toString() {
    return name + " " + describe();
  }
}
