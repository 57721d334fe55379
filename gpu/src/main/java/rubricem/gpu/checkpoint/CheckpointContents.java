package rubricem.gpu.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the files of a checkpoint. Nobody reads them before the checkpoint is complete. */
public interface CheckpointContents {
  /** @param folder empty, and not the place where the checkpoint will be */
  void writeInto(Path folder) throws IOException;
}
