package rubricem.gpu.device;

/** Work that was refused, because as much waits for the device as may. */
public final class DeviceBusyException extends RuntimeException {
  DeviceBusyException(int waiting) {
    super(waiting + " pieces of work wait for the device already; try again later");
  }
}
