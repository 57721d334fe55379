package rubricem.gpu.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Large arrays from Java's numbers. Their memory is libtorch's: DJL's own way leaves it in a buffer
 * of Java, which is bounded by the heap's size and given back when a collection happens to come.
 */
final class HostValues {
  private HostValues() {}

  /** @param values double[] or float[], as many as the shape has elements */
  static NDArray array(NDManager owner, Object values, Shape shape) {
    boolean wide = values instanceof double[];
    if (!fits(owner, shape, wide ? Double.BYTES : Float.BYTES)) {
      return wide
          ? owner.create((double[]) values, shape)
          : owner.create((float[]) values, shape);
    }
    NDArray array = owner.create(shape, wide ? DataType.FLOAT64 : DataType.FLOAT32);
    ByteBuffer memory = array.toByteBuffer(true).order(ByteOrder.nativeOrder());
    if (wide) {
      memory.asDoubleBuffer().put((double[]) values);
    } else {
      memory.asFloatBuffer().put((float[]) values);
    }
    return array;
  }

  /** What lies elsewhere is copied there by DJL; a view of memory has at most 2 GB. */
  private static boolean fits(NDManager owner, Shape shape, int bytes) {
    return owner.getDevice().equals(Device.cpu()) && shape.size() * bytes <= Integer.MAX_VALUE;
  }
}
