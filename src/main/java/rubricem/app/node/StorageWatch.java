package rubricem.app.node;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Whether what a node stores in can still be stored in: its files and folders are where they were,
 * there is room, and a small file can be written. A thread of its own looks at the file system every
 * two seconds, so that nobody who asks waits for a disk that hangs; a look that does not end is
 * trouble too. What it says goes to whoever asks over HTTP, so it names no path. What it writes is
 * gone before the look ends.
 */
public final class StorageWatch implements AutoCloseable {
  /** Below this SQLite soon fails: its log of changes alone grows to some megabytes. */
  static final long ROOM_MIN_BYTES = 8L << 20;

  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What is written to see that writing works; found only where a process died in the middle. */
  static final String PROBE = "storage.probe";

  /** One block of any disk. */
  private static final int PROBE_BYTES = 512;

  /** A look that is interrupted ends at once, unless the disk hangs. */
  private static final Duration END_PATIENCE = Duration.ofSeconds(2);

  private static final String GONE =
      "The data folder of this server, or a part of it, is gone or was moved. Put it back and start"
          + " the server again.";
  private static final String FULL =
      "There is no room left on the disk of this server. Nothing stored is lost; it goes on when"
          + " there is room.";
  private static final String SILENT = "The disk of this server does not answer.";
  private static final String UNWRITABLE =
      "The data folder of this server cannot be written, so nothing new can be stored. Nothing"
          + " stored is lost; it goes on when the folder can be written again.";

  private final Path folder;
  private final List<Path> parts;
  private final Set<Path> seen = new HashSet<>();
  private final LongSupplier nanos;
  private final Thread thread;
  private volatile String trouble = "";
  private volatile long looked;
  private volatile Consumer<String> told = text -> {};

  private StorageWatch(Path folder, List<Path> parts, LongSupplier nanos) {
    this.folder = folder;
    this.parts = parts;
    this.nanos = nanos;
    looked = nanos.getAsLong();
    thread = Thread.ofPlatform().daemon().name("storage-watch").unstarted(this::run);
  }

  /**
   * Begins to look.
   *
   * @param parts what has to stay once it is there
   */
  static StorageWatch start(Path folder, List<Path> parts, LongSupplier nanos) {
    StorageWatch watch = of(folder, parts, nanos);
    watch.thread.start();
    return watch;
  }

  static StorageWatch of(Path folder, List<Path> parts, LongSupplier nanos) {
    return new StorageWatch(folder, parts, nanos);
  }

  /** @param listener is told once when trouble begins, changes or is over */
  public void onChange(Consumer<String> listener) {
    told = listener;
  }

  /** What is wrong; empty where nothing is. */
  public String trouble() {
    return nanos.getAsLong() - looked > PATIENCE.toNanos() ? SILENT : trouble;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        look();
        // a thread of its own: a hung disk keeps this one, and no pool that others need
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  void look() {
    String before = trouble;
    String now = found();
    trouble = now;
    looked = nanos.getAsLong();
    if (!now.equals(before)) {
      told.accept(now.isEmpty() ? "What is stored can be used again." : now);
    }
  }

  private String found() {
    parts.stream().filter(Files::exists).forEach(seen::add);
    if (!Files.isDirectory(folder) || !seen.stream().allMatch(Files::exists)) {
      return GONE;
    }
    try {
      if (Files.getFileStore(folder).getUsableSpace() < ROOM_MIN_BYTES) {
        return FULL;
      }
    } catch (IOException e) {
      return "The disk of this server cannot be read.";
    }
    try {
      tryToWrite(folder.resolve(PROBE));
      return "";
    } catch (ClosedByInterruptException ended) {
      return "";
    } catch (IOException e) {
      return UNWRITABLE;
    }
  }

  /** Permissions alone say nothing of a quota, a failing disk, or a user to whom they do not apply. */
  private static void tryToWrite(Path probe) throws IOException {
    try (FileChannel file = FileChannel.open(probe, CREATE, WRITE, TRUNCATE_EXISTING)) {
      file.write(ByteBuffer.allocate(PROBE_BYTES));
      file.force(true);
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  boolean runs() {
    return thread.isAlive();
  }

  /** Nothing is written into the folder any more, unless its disk hangs. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(END_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
