package rubricem.gpu.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The few operations on a disk that a checkpoint is made of, apart so that a test can stop at each
 * of them. What was written is safe only after {@link #syncFile}, and that it is there only after
 * {@link #syncFolder} of where it lies.
 */
interface DurableFiles {
  void createFolder(Path folder) throws IOException;

  void writeNew(Path file, byte[] content) throws IOException;

  void syncFile(Path file) throws IOException;

  void syncFolder(Path folder) throws IOException;

  /** In one step, within a file system. */
  void rename(Path from, Path to) throws IOException;

  void delete(Path path) throws IOException;
}
