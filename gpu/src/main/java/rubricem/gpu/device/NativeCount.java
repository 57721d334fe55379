package rubricem.gpu.device;

import ai.djl.ndarray.BaseNDManager;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.lang.reflect.Field;
import java.util.Map;

/**
 * How many native arrays and managers hang on a manager, at any depth: for tests and for the
 * record of a long run. What libtorch keeps for itself is not seen. DJL offers no such count, so
 * its field is read.
 */
public record NativeCount(int arrays, int managers) {
  private static final NativeCount NONE = new NativeCount(0, 0);
  private static final Field RESOURCES = resources();

  private static Field resources() {
    try {
      Field field = BaseNDManager.class.getDeclaredField("resources");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("another DJL than this was written for", e);
    }
  }

  /** Counts below a manager, itself included. */
  public static NativeCount of(NDManager manager) {
    NativeCount sum = new NativeCount(0, 1);
    for (Object resource : resources(manager).values()) {
      sum = sum.plus(
          switch (resource) {
            case NDManager below -> of(below);
            case NDArray array -> new NativeCount(1, 0);
            default -> NONE;
          });
    }
    return sum;
  }

  private static Map<?, ?> resources(NDManager manager) {
    try {
      return (Map<?, ?>) RESOURCES.get(manager);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private NativeCount plus(NativeCount other) {
    return new NativeCount(arrays + other.arrays, managers + other.managers);
  }
}
