package rubricem.gpu.verify;

import ai.djl.Device;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
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

  /** Tells which of the usual numbers are not handed, so that silence about them means nothing. */
  void absent(String name, JsonNode node, List<String> usual) {
    List<String> absent = usual.stream().filter(key -> !node.has(key)).toList();
    if (!absent.isEmpty()) {
      notes.accept(name + ": no " + String.join(", no ", absent) + " is handed");
    }
  }

  /** @throws DeviceStoppedException where somebody wants an end */
  void check() {
    if (stop.getAsBoolean()) {
      throw new DeviceStoppedException();
    }
  }
}
