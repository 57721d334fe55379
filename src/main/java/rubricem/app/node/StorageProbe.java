package rubricem.app.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import rubricem.persistence.folder.EmbeddedJournal;

/**
 * Whether what a node stores in can still be stored in: the folders are where they were, and there
 * is room. A look at the file system, nothing is written. Its sentences go to whoever asks over
 * HTTP, so they name no path.
 */
final class StorageProbe {
  /** Below this SQLite soon fails: its log of changes alone grows to some megabytes. */
  static final long ROOM_MIN_BYTES = 8L << 20;

  private StorageProbe() {}

  /**
   * @param embedded whether the journal lies in the data folder
   * @return what is wrong; empty where nothing is
   */
  static String trouble(Path dataDir, boolean embedded) {
    if (!Files.isDirectory(dataDir)
        || embedded && !Files.isRegularFile(EmbeddedJournal.file(dataDir))) {
      return "The data folder of this server is gone or was moved. Put it back and start the server"
          + " again.";
    }
    if (!Files.isWritable(dataDir)) {
      return "The data folder of this server cannot be written.";
    }
    try {
      return Files.getFileStore(dataDir).getUsableSpace() < ROOM_MIN_BYTES
          ? "There is no room left on the disk of this server. Nothing stored is lost; it goes on"
              + " when there is room."
          : "";
    } catch (IOException e) {
      return "The disk of this server cannot be read.";
    }
  }
}
