package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import rubricem.persistence.folder.DataFolder;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Lists the files under the roots without opening them. Hidden files and folders are left out, the
 * program's own files in a data folder too; links are followed but never in a circle, and never out
 * of the roots, for who names a folder does not name what a file in it points at. What cannot be
 * listed is named with its reason; what must not be opened is listed with it.
 *
 * @param within the real paths of the roots
 * @param files by absolute path, each once, however many roots and links lead to it
 * @param problems roots that are missing or empty and folders that may not be read
 */
record CorpusScan(
    List<Path> within, Map<String, Found> files, List<IndexingOutcome.Problem> problems) {
  /** How deep folders may nest; deeper trees are made by accident or malice. */
  private static final int DEPTH_MAX = 64;

  /** The size of what is no file: no file has it, so that one in its place is seen as a change. */
  private static final long NO_SIZE = -1;

  /** @param closed why it is not even opened; empty: it is a file */
  record Found(Path path, long size, long modified, Optional<UnreadableKind> closed) {
    Found(Path path, long size, long modified) {
      this(path, size, modified, Optional.empty());
    }
  }

  static CorpusScan of(List<Path> roots, int filesMax) {
    List<Path> within = roots.stream().map(CorpusScan::real).flatMap(Optional::stream).toList();
    CorpusScan scan = new CorpusScan(within, new TreeMap<>(), new ArrayList<>());
    for (Path root : roots) {
      scan.add(root, filesMax);
    }
    return scan;
  }

  /** Absolute, without {@code .} and {@code ..}: what a root is known by. */
  static Path canonical(Path root) {
    return root.toAbsolutePath().normalize();
  }

  private void add(Path given, int filesMax) {
    Path root = canonical(given);
    if (!Files.exists(root)) {
      problem(given, "does not exist");
      return;
    }
    int before = files.size();
    try {
      Files.walkFileTree(
          root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEPTH_MAX, new Visit(root, filesMax));
    } catch (IOException e) {
      problem(given, "cannot be listed: " + e.getClass().getSimpleName());
    }
    if (files.size() == before && problems.isEmpty()) {
      problem(given, "holds no file");
    }
  }

  private static Optional<Path> real(Path path) {
    try {
      return Optional.of(path.toRealPath());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean leadsOut(Path path) {
    return Files.isSymbolicLink(path)
        && real(path).filter(end -> within.stream().noneMatch(end::startsWith)).isPresent();
  }

  private void problem(Path path, String reason) {
    problems.add(new IndexingOutcome.Problem(path.toString(), reason));
  }

  private final class Visit extends SimpleFileVisitor<Path> {
    private final Path root;
    private final int filesMax;

    Visit(Path root, int filesMax) {
      this.root = root;
      this.filesMax = filesMax;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      if (folder.equals(root)) {
        return FileVisitResult.CONTINUE;
      }
      if (!isHidden(folder) && leadsOut(folder)) {
        FileVisitResult next = found(folder, attributes, Optional.of(UnreadableKind.OUTSIDE_LINK));
        return next == FileVisitResult.CONTINUE ? FileVisitResult.SKIP_SUBTREE : next;
      }
      return isHidden(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      boolean named = file.equals(root);
      boolean left = isHidden(file) || DataFolder.isOurs(file);
      if (!named && left) {
        return FileVisitResult.CONTINUE;
      }
      if (!named && leadsOut(file)) {
        return found(file, attributes, Optional.of(UnreadableKind.OUTSIDE_LINK));
      }
      boolean regular = attributes.isRegularFile();
      return found(
          file, attributes, regular ? Optional.empty() : Optional.of(kind(attributes)));
    }

    private FileVisitResult found(
        Path file, BasicFileAttributes attributes, Optional<UnreadableKind> closed) {
      if (files.size() >= filesMax) {
        problem(root, "holds more than " + filesMax + " files; the rest is not searched");
        return FileVisitResult.TERMINATE;
      }
      long size = closed.isEmpty() ? attributes.size() : NO_SIZE;
      long modified = attributes.lastModifiedTime().toMillis();
      files.put(file.toString(), new Found(file, size, modified, closed));
      return FileVisitResult.CONTINUE;
    }

    /** A link shows here only where it could not be followed. */
    private static UnreadableKind kind(BasicFileAttributes attributes) {
      return attributes.isSymbolicLink()
          ? UnreadableKind.DANGLING_LINK
          : UnreadableKind.SPECIAL_FILE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      boolean circle = e instanceof java.nio.file.FileSystemLoopException;
      if (!circle && !isHidden(file)) {
        problem(file, "cannot be opened: " + e.getClass().getSimpleName());
      }
      return FileVisitResult.CONTINUE;
    }

    private static boolean isHidden(Path path) {
      Path name = path.getFileName();
      return name != null && name.toString().startsWith(".");
    }
  }
}
