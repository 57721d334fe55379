package rubricem.gpu.weights;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that appears whole or not at all: written under another name, flushed to the disk, then
 * renamed. A file that is mapped somewhere is thereby replaced and never cut.
 */
final class WholeFile {

  interface Content {
    void writeTo(WritableByteChannel out) throws IOException;
  }

  private WholeFile() {}

  static void write(Path file, Content content) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      try (FileChannel channel =
          FileChannel.open(
              partial,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        content.writeTo(channel);
        channel.force(true);
      }
      Files.move(
          partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  static void writeAll(WritableByteChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }
}
