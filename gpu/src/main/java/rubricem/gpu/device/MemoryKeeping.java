package rubricem.gpu.device;

import com.sun.jna.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether this process keeps the memory that its tensors leave. glibc gives every large block back
 * to the kernel and pages it in again, which took a training step from 3 to 4 or 12 seconds where
 * it was measured. It reads its settings from the environment before Java begins, so a process can
 * only say that they are missing.
 */
public final class MemoryKeeping {
  private static final List<String> SETTINGS =
      List.of(
          "MALLOC_ARENA_MAX=1", "MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=-1",
          "MALLOC_TOP_PAD_=268435456");

  private MemoryKeeping() {}

  /** A sentence for the user of this process; empty where nothing is missing, or would help. */
  public static Optional<String> missing() {
    return missing(System.getenv(), isGlibc());
  }

  /** What somebody has set to another value is his choice. */
  static Optional<String> missing(Map<String, String> environment, boolean glibc) {
    List<String> left = new ArrayList<>();
    for (String setting : SETTINGS) {
      if (!environment.containsKey(setting.substring(0, setting.indexOf('=')))) {
        left.add(setting);
      }
    }
    return left.isEmpty() || !glibc
        ? Optional.empty()
        : Optional.of(
            "This process gives memory back that its model needs again at once, which is slow."
                + " Start it by ./rubricem, or with  " + String.join(" ", left)
                + "  in the environment.");
  }

  private static boolean isGlibc() {
    try {
      Function.getFunction(null, "gnu_get_libc_version");
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }
}
