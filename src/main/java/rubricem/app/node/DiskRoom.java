package rubricem.app.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The room that has to be free where a node stores, and how it is said that it is not. With less
 * nothing new is begun, so that what runs can still be stored.
 *
 * @param wantedBytes the setting {@code rubricem.storage.room-bytes-min}
 */
public record DiskRoom(long wantedBytes) {
  private static final long MB = 1L << 20;

  /** What this user may still write there. */
  long freeIn(Path folder) throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  /** For whoever asks a server: without paths. */
  String full() {
    return "There is no room left on the disk of this server: " + said(wantedBytes)
        + " have to be free. Nothing stored is lost; it goes on when there is room.";
  }

  /** For whoever starts on the folder; empty where there is room. */
  public String lackingIn(Path folder) {
    try {
      long free = freeIn(folder);
      return free >= wantedBytes
          ? ""
          : "There is no room left on the disk of " + folder + ": " + said(free) + " are free, and "
              + said(wantedBytes) + " have to be (rubricem.storage.room-bytes-min). Free some and"
              + " give the same command again, or name a folder on another disk with --data-dir."
              + " What was stored is still there.";
    } catch (IOException e) {
      return "The disk of " + folder + " cannot be read: " + e.getMessage() + ".";
    }
  }

  /** For whoever was storing in the folder when it failed; empty where the disk was not full. */
  public String filledUp(Path folder, IOException failure) {
    String lacking = lackingIn(folder);
    String said = String.valueOf(failure.getMessage());
    return !lacking.isEmpty() || !said.contains("No space left") && !said.contains("quota")
        ? lacking
        : "The disk of " + folder + " filled up. More than " + said(wantedBytes) + " have to be"
            + " free (rubricem.storage.room-bytes-min), and for documents about as much as they"
            + " take. Free some and give the same command again, or name a folder on another disk"
            + " with --data-dir. What was stored is still there.";
  }

  /** What is wanted is rounded up, what is there down: nobody reads that 8 of 8 are too few. */
  private String said(long bytes) {
    long mb = bytes == wantedBytes ? (bytes + MB - 1) / MB : bytes / MB;
    return mb + " MB";
  }
}
