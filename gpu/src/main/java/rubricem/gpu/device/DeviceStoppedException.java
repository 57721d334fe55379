package rubricem.gpu.device;

/** Work that a device thread did not begin, because it was stopped before. */
public final class DeviceStoppedException extends RuntimeException {
  DeviceStoppedException() {
    super("the device was stopped before this began");
  }
}
