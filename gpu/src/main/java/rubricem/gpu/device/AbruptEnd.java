package rubricem.gpu.device;

import com.sun.jna.Function;
import com.sun.jna.Platform;

/**
 * Ends the process this instant, for somebody who will not wait. The C library's exit would first
 * take down libtorch's objects while other threads compute with them, which crashes and leaves a
 * report; this leaves nothing undone but what was not on the disk yet.
 */
public final class AbruptEnd {
  private AbruptEnd() {}

  public static void with(int code) {
    if (!Platform.isWindows()) {
      Function.getFunction(null, "_exit").invokeVoid(new Object[] {code});
    }
    Runtime.getRuntime().halt(code);
  }
}
