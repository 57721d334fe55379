package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether files may have come into a folder or left it since it was last asked. A commit of the index
 * does both, and looking for one reads the folder; its time of change is a hundred times cheaper.
 * File systems keep that time coarsely, so for a while after a change it says yes. Not thread safe.
 */
final class FolderChanges {
  /** File systems of today are finer; FAT is as coarse as this. */
  private static final Duration COARSE = Duration.ofSeconds(2);

  private final Path folder;
  private final LongSupplier nanos;
  private @Nullable FileTime last;
  private long seen;
  private boolean settled;

  FolderChanges(Path folder, LongSupplier nanos) {
    this.folder = folder;
    this.nanos = nanos;
  }

  boolean mayBe() throws IOException {
    FileTime now = time();
    if (!now.equals(last)) {
      last = now;
      seen = nanos.getAsLong();
      settled = false;
      return true;
    }
    if (settled) {
      return false;
    }
    // the last look falls behind the time in which another change would not show
    settled = nanos.getAsLong() - seen > COARSE.toNanos();
    return true;
  }

  private FileTime time() throws IOException {
    try {
      return Files.getLastModifiedTime(folder);
    } catch (NoSuchFileException gone) {
      return FileTime.fromMillis(0);
    }
  }
}
