package rubricem.persistence.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Files and folders of a run as they are, links left out: a link could lead anywhere, and what lies
 * elsewhere is none of the run's. What goes while it is looked at was never there.
 */
final class PlainFiles {
  private PlainFiles() {}

  static Optional<BasicFileAttributes> folder(Path path) throws IOException {
    return attributes(path).filter(BasicFileAttributes::isDirectory);
  }

  static Optional<BasicFileAttributes> file(Path path) throws IOException {
    return attributes(path).filter(BasicFileAttributes::isRegularFile);
  }

  private static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
    try {
      return Optional.of(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** The whole file; empty where there is none or it is longer than {@code bytesMax}. */
  static Optional<byte[]> bytes(Path path, long bytesMax) throws IOException {
    if (file(path).filter(a -> a.size() <= bytesMax).isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readAllBytes(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
