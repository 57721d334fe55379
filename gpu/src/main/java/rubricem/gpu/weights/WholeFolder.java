package rubricem.gpu.weights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that appears whole or not at all: filled beside its place under another name, then
 * renamed. It never replaces one that holds anything. Whatever stops the filling, a full disk or
 * somebody's wish, takes away what was written.
 */
public final class WholeFolder {
  /** What goes into it. */
  public interface Content {
    void writeInto(Path folder) throws IOException;
  }

  private WholeFolder() {}

  /** @throws UnusableFolderException where the place is taken */
  public static void write(Path target, Content content) throws IOException {
    refuseTaken(target);
    Path place = target.toAbsolutePath().normalize();
    Path partial = place.resolveSibling("." + place.getFileName() + ".partial");
    Files.createDirectories(place.getParent());
    delete(partial);
    try {
      Files.createDirectory(partial);
      content.writeInto(partial);
      Files.deleteIfExists(place);
      Files.move(partial, place, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      delete(partial);
    }
  }

  /** So that nobody waits for work whose result has no place. */
  public static void refuseTaken(Path target) throws IOException {
    Path place = target.toAbsolutePath().normalize();
    if (place.getFileName() == null) {
      throw new UnusableFolderException(target, "it can hold no result; name a folder in it");
    }
    if (Files.exists(target) && !Files.isDirectory(target)) {
      throw new UnusableFolderException(target, "it is a file; name a folder that is not there yet");
    }
    if (Files.isDirectory(target)) {
      try (Stream<Path> files = Files.list(target)) {
        if (files.findAny().isPresent()) {
          throw new UnusableFolderException(
              target, "it is there already and not empty; name another folder, so that nothing is"
                  + " overwritten");
        }
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> paths = Files.walk(folder)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
