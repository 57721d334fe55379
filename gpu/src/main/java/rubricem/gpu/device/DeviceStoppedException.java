package rubricem.gpu.device;

/** Work that was not begun, or was given up half-way, because somebody wanted the device to stop. */
public final class DeviceStoppedException extends RuntimeException {
  public DeviceStoppedException() {
    super("the device was stopped before this was done");
  }
}
