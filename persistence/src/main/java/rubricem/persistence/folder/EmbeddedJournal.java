package rubricem.persistence.folder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the embedded journal of a data folder is, as a JDBC address. */
public final class EmbeddedJournal {
  private static final String FILE = "journal.db";

  /** What an early version kept its journal in. */
  private static final String OLDER_FILE = "journal.mv.db";

  private EmbeddedJournal() {}

  public static Path file(Path folder) {
    return folder.resolve(FILE);
  }

  /** A path as a URI, so that no letter of it is taken for an option. */
  public static String address(Path folder) {
    refuseOlder(folder);
    return "jdbc:sqlite:" + file(folder).toUri();
  }

  /** The same for who only reads: also where the folder cannot be written. */
  public static String addressToRead(Path folder) {
    return Files.isWritable(folder) ? address(folder) : addressInReadOnly(folder);
  }

  /**
   * A journal that was closed well is one file and is read as it is. Beside a log that was not yet
   * carried over it is read through that, which needs the log's index to be there, too.
   */
  static String addressInReadOnly(Path folder) {
    Path log = folder.resolve(FILE + "-wal");
    try {
      boolean open = Files.exists(log) && Files.size(log) > 0;
      return address(folder) + (open ? "?mode=ro" : "?immutable=1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A journal that this program cannot read is not taken for none. */
  public static void refuseOlder(Path folder) {
    if (Files.exists(folder.resolve(OLDER_FILE)) && !Files.exists(file(folder))) {
      throw new DataFolder.FolderUnusable(
          "The journal in " + folder + " was written by an early version of RubricEM ("
              + OLDER_FILE + "), which this one cannot read. Nothing was changed: use that"
              + " version for it, or another folder with --data-dir.");
    }
  }
}
