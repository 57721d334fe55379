package rubricem.gpu.device;

import ai.djl.Device;
import ai.djl.engine.Engine;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where tensors live, as a user names it: {@code cpu} or {@code cuda:N}. */
public sealed interface DeviceName {
  /** The processor. */
  record Cpu() implements DeviceName {
    @Override
    public String toString() {
      return "cpu";
    }
  }

  /** A GPU by its number. */
  record Cuda(int index) implements DeviceName {
    /** More than any machine has; a larger number is a slip. */
    private static final int INDEX_MAX = 1023;

    public Cuda {
      if (index < 0 || index > INDEX_MAX) {
        throw new IllegalArgumentException("there is no GPU number " + index);
      }
    }

    @Override
    public String toString() {
      return "cuda:" + index;
    }
  }

  /** @throws IllegalArgumentException with what may be written instead */
  static DeviceName parse(String text) {
    Matcher cuda = Pattern.compile("cuda:(\\d{1,4})").matcher(text);
    if (text.equals("cpu")) {
      return new Cpu();
    }
    if (cuda.matches()) {
      return new Cuda(Integer.parseInt(cuda.group(1)));
    }
    throw new IllegalArgumentException(
        "there is no device \"" + text + "\": write cpu, or cuda:0 for the first GPU");
  }

  /**
   * The device itself. A GPU that is asked for and not there is an error: nobody wants a run that
   * takes a week instead of an hour because of a driver.
   *
   * @throws DeviceAbsentException where this machine, or this build, has no such device
   */
  default Device present() {
    // started here in any case: where libtorch is still to be fetched, that has to happen before
    // somebody forbids DJL its downloads
    Engine engine = Engine.getEngine("PyTorch");
    return switch (this) {
      case Cpu cpu -> Device.cpu();
      case Cuda(int index) -> {
        int there = engine.getGpuCount();
        if (index >= there) {
          throw new DeviceAbsentException(this, there);
        }
        yield Device.gpu(index);
      }
    };
  }
}
