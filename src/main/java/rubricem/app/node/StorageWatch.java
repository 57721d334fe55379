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
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Whether what a node stores in can still be stored in: its files and folders are where they were,
 * there is room, a small file can be written, and the journal takes writes. A thread of its own
 * looks at the file system every two seconds, so that nobody who asks waits for a disk that hangs;
 * a look that does not end is trouble too. A write of the journal that fails is trouble from that
 * moment, until one is seen to succeed. What it says goes to whoever asks over HTTP, so it names no
 * path. What it writes is gone before the look ends.
 */
public final class StorageWatch implements AutoCloseable {
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
  private static final String REFUSED =
      "The database of this server takes no writes, and the log says why. Nothing stored is lost;"
          + " it goes on when the database can be written again.";
  private static final String SILENT = "The disk of this server does not answer.";
  private static final String UNWRITABLE =
      "The data folder of this server cannot be written, so nothing new can be stored. Nothing"
          + " stored is lost; it goes on when the folder can be written again.";

  private final Path folder;
  private final List<Path> parts;
  private final DiskRoom room;
  private final BooleanSupplier journal;
  private final Set<Path> seen = new HashSet<>();
  private final LongSupplier nanos;
  private final Thread thread;
  private volatile String trouble = "";
  private volatile long looked;
  private volatile Consumer<String> told = text -> {};

  /** Why the last write of the journal failed; empty where none has since one succeeded. */
  private String refused = "";

  private long refusals;

  /** Who listens has heard of this; of the thread that looks. */
  private String said = "";

  private StorageWatch(
      Path folder, List<Path> parts, DiskRoom room, BooleanSupplier journal, LongSupplier nanos) {
    this.folder = folder;
    this.parts = parts;
    this.room = room;
    this.journal = journal;
    this.nanos = nanos;
    looked = nanos.getAsLong();
    thread = Thread.ofPlatform().daemon().name("storage-watch").unstarted(this::run);
  }

  /**
   * Begins to look.
   *
   * @param parts what has to stay once it is there
   * @param journal tries to write into the journal, and says whether that works; it may take a
   *     while, and is asked only after a write that failed
   */
  static StorageWatch start(
      Path folder, List<Path> parts, DiskRoom room, BooleanSupplier journal, LongSupplier nanos) {
    StorageWatch watch = of(folder, parts, room, journal, nanos);
    watch.thread.start();
    return watch;
  }

  static StorageWatch of(
      Path folder, List<Path> parts, DiskRoom room, BooleanSupplier journal, LongSupplier nanos) {
    return new StorageWatch(folder, parts, room, journal, nanos);
  }

  /** @param listener is told once when trouble begins, changes or is over */
  public void onChange(Consumer<String> listener) {
    told = listener;
  }

  /** What is wrong; empty where nothing is. */
  public String trouble() {
    return nanos.getAsLong() - looked > PATIENCE.toNanos() ? SILENT : trouble;
  }

  /** Whether the journal takes no writes: what has to be stored need not be tried. */
  public synchronized boolean refuses() {
    return !refused.isEmpty();
  }

  /**
   * A write of the journal has failed: known from now on, not from the next look.
   *
   * @param noRoom whether it did because the disk is full
   */
  void refused(boolean noRoom) {
    synchronized (this) {
      refused = noRoom ? room.full() : REFUSED;
      refusals++;
      trouble = refused;
    }
    // the thread that writes tells nobody: it must not wait for a console
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      look();
      // a thread of its own: a hung disk keeps this one, and no pool that others need
      LockSupport.parkNanos(this, EVERY.toNanos());
    }
  }

  void look() {
    String now = found();
    long before = refusals();
    boolean written = refuses() && journal.getAsBoolean();
    synchronized (this) {
      if (written && before == refusals) {
        refused = "";
      }
      looked = nanos.getAsLong();
      trouble = now.isEmpty() ? refused : now;
      now = trouble;
    }
    if (!now.equals(said)) {
      said = now;
      told.accept(now.isEmpty() ? "What is stored can be used again." : now);
    }
  }

  private synchronized long refusals() {
    return refusals;
  }

  private String found() {
    parts.stream().filter(Files::exists).forEach(seen::add);
    if (!Files.isDirectory(folder) || !seen.stream().allMatch(Files::exists)) {
      return GONE;
    }
    try {
      if (room.freeIn(folder) < room.wantedBytes()) {
        return room.full();
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
