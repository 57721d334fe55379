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
 * Whether files may have come into a folder or left it since somebody last looked. A commit of the
 * index does both, and looking for one reads the folder; its time of change is a hundred times
 * cheaper. File systems keep that time coarsely, so for a while after a change it says yes, and
 * longer where every look has failed. Not thread safe.
 */
final class FolderChanges {
  /** File systems of today are finer; FAT is as coarse as this. */
  private static final Duration COARSE = Duration.ofSeconds(2);

  private final Path folder;
  private final LongSupplier nanos;
  private @Nullable FileTime last;
  private long seen;
  private long asked;
  private boolean settled;

  FolderChanges(Path folder, LongSupplier nanos) {
    this.folder = folder;
    this.nanos = nanos;
  }

  /** Whether a look is wanted; {@link #looked} says that it came to something. */
  boolean mayBe() throws IOException {
    FileTime now = time();
    asked = nanos.getAsLong();
    if (!now.equals(last)) {
      last = now;
      seen = asked;
      settled = false;
    }
    return !settled;
  }

  /** What there was when it was last asked has been seen. */
  void looked() {
    // one behind the time in which another change would not show is enough
    settled = asked - seen > COARSE.toNanos();
  }

  private FileTime time() throws IOException {
    try {
      return Files.getLastModifiedTime(folder);
    } catch (NoSuchFileException gone) {
      return FileTime.fromMillis(0);
    }
  }
}
