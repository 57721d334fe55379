package rubricem.gpu.verify;

import ai.djl.Device;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import rubricem.gpu.device.DeviceStoppedException;

/**
 * Where a verification computes and what it may use.
 *
 * @param scratch an empty folder that the caller removes
 * @param checks each comparison as it is made
 * @param notes what is worth saying and is no comparison
 * @param stop whether somebody wants an end
 */
record Places(
    Device device, Path scratch, LongSupplier nanos, Consumer<Check> checks,
    Consumer<String> notes, BooleanSupplier stop) {

  /** @throws DeviceStoppedException where somebody wants an end */
  void check() {
    if (stop.getAsBoolean()) {
      throw new DeviceStoppedException();
    }
  }
}
