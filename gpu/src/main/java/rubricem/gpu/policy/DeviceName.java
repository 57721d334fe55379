package rubricem.gpu.policy;

import ai.djl.Device;
import ai.djl.engine.Engine;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code cpu} or {@code cuda:N}. A device that is asked for and absent is an error, never replaced. */
final class DeviceName {
  private static final Pattern CUDA = Pattern.compile("cuda(?::(\\d{1,3}))?");

  private DeviceName() {}

  /** @throws IllegalArgumentException with a sentence for whoever named it */
  static Device find(String name) {
    if (name.equals("cpu")) {
      return Device.cpu();
    }
    Matcher cuda = CUDA.matcher(name);
    if (!cuda.matches()) {
      throw new IllegalArgumentException("the device \"" + name + "\" is not cpu or cuda:N");
    }
    int index = cuda.group(1) == null ? 0 : Integer.parseInt(cuda.group(1));
    int found = Engine.getEngine("PyTorch").getGpuCount();
    if (index >= found) {
      throw new IllegalArgumentException(
          "the device " + name + " is not there: libtorch finds "
              + (found == 0 ? "no GPU" : found + " of them, from cuda:0")
              + ". Use cpu, or the build with GPU support on a machine that has one");
    }
    return Device.gpu(index);
  }
}
