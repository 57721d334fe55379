package rubricem.persistence.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/**
 * The folder that holds everything a node keeps. One node at a time runs on it: a second one is
 * told so and changes nothing. Readers such as {@code replay} need no lock.
 */
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "node.lock";
  private static final Pattern OWN_FILE =
      Pattern.compile("node\\.lock|corpus-roots\\.txt(\\.new)?|rubricem\\.log.*|journal\\..*");
  private static final Pattern INDEX = Pattern.compile("/corpus/format-[0-9]+$");
  private static final Pattern INDEX_FILE =
      Pattern.compile("_[0-9a-z]+(_[A-Za-z0-9_]+)?\\.[a-z]+|(pending_)?segments_.*|write\\.lock");

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

  /** Whether the file is one of ours in a data folder: no document, wherever that folder lies. */
  public static boolean isOurs(Path file) {
    Path parent = file.getParent();
    if (parent == null) {
      return false;
    }
    boolean index = INDEX.matcher(parent.toString().replace('\\', '/')).find();
    Path folder = index ? parent.resolve("../..").normalize() : parent;
    // the name first: only few files have one that is worth a look at the disk
    return (index ? INDEX_FILE : OWN_FILE).matcher(file.getFileName().toString()).matches()
        && Files.exists(folder.resolve(LOCK));
  }

  /** Makes the folder where it is missing and takes its lock. */
  public static DataFolder lock(Path path) {
    Path folder = writable(path);
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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

  /** Whether a node runs on the folder now. */
  public static boolean isInUse(Path path) {
    Path lock = path.toAbsolutePath().normalize().resolve(LOCK);
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = tryLock(channel)) {
      return held == null;
    } catch (IOException e) {
      return true;
    }
  }

  /** Makes the folder where it is missing, without a lock. */
  public static Path writable(Path path) {
    Path folder = path.toAbsolutePath().normalize();
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new FolderUnusable(
          "The data folder " + folder + " cannot be made: there is a file of that name. Choose"
              + " another folder with --data-dir.");
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
    mark(folder);
    return folder;
  }

  /** The file that is locked is also what a data folder is known by. */
  private static void mark(Path folder) {
    try {
      Files.createFile(folder.resolve(LOCK));
    } catch (FileAlreadyExistsException e) {
      // marked before
    } catch (IOException e) {
      throw new FolderUnusable(
          "The data folder " + folder + " cannot be written: " + e.getMessage()
              + ". Choose another one with --data-dir.");
    }
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
