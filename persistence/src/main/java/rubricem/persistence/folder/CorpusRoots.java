package rubricem.persistence.folder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The folders and files that {@code index} was told to read: what is searched by default. */
public final class CorpusRoots {
  private final Path file;

  private CorpusRoots(Path file) {
    this.file = file;
  }

  public static CorpusRoots of(Path dataFolder) {
    return new CorpusRoots(dataFolder.resolve("corpus-roots.txt"));
  }

  /** In the order they were added; those that have gone from the disk are left out. */
  public List<Path> list() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
          .filter(line -> !line.isBlank())
          .map(Path::of)
          .filter(Files::exists)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the list of corpus folders cannot be read: " + file, e);
    }
  }

  public void add(List<Path> roots) {
    Set<String> all = new LinkedHashSet<>();
    list().forEach(root -> all.add(root.toString()));
    roots.forEach(root -> all.add(root.toString()));
    try {
      Path next = file.resolveSibling(file.getFileName() + ".new");
      Files.write(next, all, StandardCharsets.UTF_8);
      Files.move(
          next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("the list of corpus folders cannot be written: " + file, e);
    }
  }
}
