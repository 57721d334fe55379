package rubricem.gpu.weights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file or folder of weights that is there but cannot be used: damaged, incomplete, or made with
 * something this program does not do. The message names the place, what is wrong and, where there
 * is a way out, what to do; it can be shown to a user as it is.
 */
public final class UnusableFolderException extends IOException {
  public UnusableFolderException(Path place, String reason) {
    super(place + ": " + reason);
  }

  /** @throws UnusableFolderException where there is no folder, or a file in its place */
  public static void requireFolder(Path place) throws UnusableFolderException {
    if (!Files.exists(place)) {
      throw new UnusableFolderException(place, "there is no such folder");
    }
    if (!Files.isDirectory(place)) {
      throw new UnusableFolderException(place, "it is a file; name the folder that it lies in");
    }
  }
}
