package rubricem.gpu.device;

/** A GPU was asked for that this process cannot see. The message is for the user. */
public final class DeviceAbsentException extends RuntimeException {
  DeviceAbsentException(DeviceName wanted, int there) {
    super(
        "The device " + wanted + " is not there: "
            + (there == 0
                ? "this build of libtorch sees no GPU at all. On a machine that has one, build with"
                    + " Maven's profile gpu (gpu/README.md) and see that the driver runs"
                    + " (nvidia-smi)."
                : "this machine has cuda:0 to cuda:" + (there - 1) + ".")
            + " Nothing was begun. To compute on the processor name the device cpu.");
  }
}
