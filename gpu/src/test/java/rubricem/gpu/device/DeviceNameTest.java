package rubricem.gpu.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.Device;
import ai.djl.engine.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceNameTest {
  @Test
  void a_device_is_written_as_it_is_read() {
    assertEquals(new DeviceName.Cpu(), DeviceName.parse("cpu"));
    assertEquals(new DeviceName.Cuda(3), DeviceName.parse("cuda:3"));
    assertEquals("cuda:3", DeviceName.parse("cuda:3").toString());
    assertEquals("cpu", DeviceName.parse("cpu").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "CPU", "gpu", "cuda", "cuda:", "cuda:-1", "cuda:x", "cuda:99999", "mps"})
  void anything_else_is_refused_with_what_may_be_written(String text) {
    var refused =
        assertThrows(IllegalArgumentException.class, () -> DeviceName.parse(text));
    assertTrue(text.equals("cuda:99999") || refused.getMessage().contains("cuda:0"));
  }

  @Test
  void the_processor_is_always_there() {
    assertEquals(Device.cpu(), new DeviceName.Cpu().present());
  }

  @Test
  void a_gpu_that_is_not_there_is_an_error_and_no_processor_takes_its_place() {
    int there = Engine.getEngine("PyTorch").getGpuCount();
    DeviceName beyond = new DeviceName.Cuda(there);
    var absent = assertThrows(DeviceAbsentException.class, beyond::present);
    assertTrue(absent.getMessage().contains("cuda:" + there), absent.getMessage());
    assertTrue(absent.getMessage().contains("Nothing was begun"), absent.getMessage());
  }
}
