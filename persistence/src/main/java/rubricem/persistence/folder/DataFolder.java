package rubricem.persistence.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The folder that holds everything a node keeps. One node at a time runs on it: a second one is
 * told so and changes nothing. Readers such as {@code replay} need no lock.
 */
public final class DataFolder implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;

  private DataFolder(Path path, FileChannel channel, FileLock lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /** The folder cannot be used; the message says what to do. */
  public static final class FolderUnusable extends RuntimeException {
    FolderUnusable(String message) {
      super(message);
    }
  }

  /** Makes the folder where it is missing and takes its lock. */
  public static DataFolder lock(Path path) {
    Path folder = writable(path);
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve("node.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new FolderUnusable(
            "Another RubricEM process is running on " + folder + ". Wait until it has ended, or"
                + " give this one a folder of its own with --data-dir.");
      }
      return new DataFolder(folder, channel, lock);
    } catch (IOException e) {
      throw new FolderUnusable(
          "The data folder " + folder + " cannot be locked: " + e.getMessage()
              + ". Choose another one with --data-dir.");
    }
  }

  /** Makes the folder where it is missing, without a lock. */
  public static Path writable(Path path) {
    Path folder = path.toAbsolutePath().normalize();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new FolderUnusable(
          "The data folder " + folder + " cannot be made (" + e.getMessage()
              + "). Choose another one with --data-dir.");
    }
    if (!Files.isWritable(folder)) {
      throw new FolderUnusable(
          "The data folder " + folder + " cannot be written. Change its rights or choose another"
              + " one with --data-dir.");
    }
    return folder;
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    lock.release();
    channel.close();
  }
}
