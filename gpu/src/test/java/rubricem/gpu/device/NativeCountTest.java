package rubricem.gpu.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import org.junit.jupiter.api.Test;

class NativeCountTest {
  @Test
  void arrays_and_managers_are_counted_at_any_depth_and_gone_when_closed() {
    try (NDManager manager = Engine.getEngine("PyTorch").newBaseManager(Device.cpu())) {
      assertEquals(new NativeCount(0, 1), NativeCount.of(manager));
      manager.create(1f);
      NDManager below = manager.newSubManager();
      below.create(2f);
      below.newSubManager().create(3f);
      assertEquals(new NativeCount(3, 3), NativeCount.of(manager));
      below.close();
      assertEquals(new NativeCount(1, 1), NativeCount.of(manager));
    }
  }
}
