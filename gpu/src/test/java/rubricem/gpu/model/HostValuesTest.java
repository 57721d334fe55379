package rubricem.gpu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class HostValuesTest {
  @Test
  void numbers_lie_in_the_array_in_their_order_and_in_no_buffer_of_java() {
    float[] narrow = new float[1 << 20];
    double[] wide = new double[6];
    narrow[17] = 2.5f;
    wide[4] = -1e-300;
    try (NDManager manager = Engine.getEngine("PyTorch").newBaseManager(Device.cpu())) {
      long before = direct();
      var floats = HostValues.array(manager, narrow, new Shape(1 << 10, 1 << 10));
      var doubles = HostValues.array(manager, wide, new Shape(2, 3));
      assertEquals(before, direct());
      assertEquals(DataType.FLOAT32, floats.getDataType());
      assertEquals(2.5f, floats.getFloat(0, 17));
      assertArrayEquals(narrow, floats.toFloatArray());
      assertEquals(new Shape(2, 3), doubles.getShape());
      assertArrayEquals(wide, doubles.toDoubleArray());
    }
  }

  /** What Java's own buffers hold outside the heap, bytes; mapped files are others. */
  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
