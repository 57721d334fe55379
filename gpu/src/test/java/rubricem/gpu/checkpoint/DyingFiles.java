package rubricem.gpu.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A disk that stops at a chosen operation, as a process that is killed does: half of a write is
 * done, nothing after it. {@link #powerLoss} then takes away what was never flushed, which a kill
 * alone does not.
 */
final class DyingFiles implements DurableFiles {
  /** Thrown at the chosen operation and at all that are tried after it. */
  static final class Killed extends RuntimeException {}

  private record Renamed(Path from, Path to) {}

  private final DiskFiles disk = new DiskFiles();
  private final Path root;
  private final Set<Path> flushed = new HashSet<>();
  private final Set<Path> entered = new HashSet<>();
  private final List<Renamed> renamed = new ArrayList<>();
  private int left;

  /** @param operations that succeed; what lies under {@code root} now is safe */
  DyingFiles(Path root, int operations) throws IOException {
    this.root = root;
    this.left = operations;
    flushed.addAll(under(root));
    entered.addAll(under(root));
  }

  /** Also for the content of a checkpoint, which is not written through this. */
  boolean dies() {
    return left-- <= 0;
  }

  private void live() {
    if (dies()) {
      throw new Killed();
    }
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    live();
    disk.createFolder(folder);
  }

  @Override
  public void writeNew(Path file, byte[] content) throws IOException {
    if (dies()) {
      if (left == -1) {
        disk.writeNew(file, Arrays.copyOf(content, content.length / 2));
      }
      throw new Killed();
    }
    disk.writeNew(file, content);
  }

  @Override
  public void syncFile(Path file) throws IOException {
    live();
    disk.syncFile(file);
    flushed.add(file);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    live();
    disk.syncFolder(folder);
    try (Stream<Path> entries = Files.list(folder)) {
      entries.forEach(entered::add);
    }
    renamed.removeIf(r -> r.to.getParent().equals(folder));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    live();
    disk.rename(from, to);
    move(from, to);
    renamed.add(new Renamed(from, to));
  }

  @Override
  public void delete(Path path) throws IOException {
    live();
    disk.delete(path);
  }

  /** Renames that no flush of their folder followed are undone, unflushed contents are cut. */
  void powerLoss() throws IOException {
    for (Renamed r : renamed.reversed()) {
      if (Files.exists(r.to, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(r.to, r.from);
        move(r.to, r.from);
      }
    }
    for (Path path : under(root)) {
      if (!Files.isRegularFile(path)) {
        continue;
      }
      if (!entered.contains(path)) {
        Files.delete(path);
      } else if (!flushed.contains(path)) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
          file.truncate(file.size() / 2);
        }
      }
    }
  }

  private void move(Path from, Path to) {
    for (Set<Path> paths : List.of(flushed, entered)) {
      Set<Path> moved =
          paths.stream().filter(p -> p.startsWith(from)).collect(Collectors.toSet());
      paths.removeAll(moved);
      moved.forEach(p -> paths.add(to.resolve(from.relativize(p))));
    }
  }

  private static List<Path> under(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
