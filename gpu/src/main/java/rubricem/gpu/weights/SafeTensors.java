package rubricem.gpu.weights;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One safetensors file. Opening reads and checks the header alone; a tensor is mapped when it is
 * asked for, one mapping each, so that the file may be larger than a mapping can be. What does not
 * add up is refused by name before any tensor is read. No file handle stays open; the mappings end
 * with the buffers. Writing streams tensor after tensor and replaces the file in one go.
 */
public final class SafeTensors {
  /** Programs ask for it before they take the tensors for PyTorch's. */
  public static final Map<String, String> PYTORCH = Map.of("format", "pt");

  private static final int LENGTH_BYTES = Long.BYTES;

  private final Path file;
  private final SafeTensorsHeader header;
  private final long bodyAt;
  private final FileTime written;

  private SafeTensors(Path file, SafeTensorsHeader header, long bodyAt, FileTime written) {
    this.file = file;
    this.header = header;
    this.bodyAt = bodyAt;
    this.written = written;
  }

  public static SafeTensors open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UnusableFolderException(file, "the file is not there");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < LENGTH_BYTES) {
        throw new UnusableFolderException(file, "no safetensors file: only " + size + " bytes");
      }
      long length = read(channel, 0, LENGTH_BYTES).getLong();
      if (length < 2 || length > SafeTensorsHeader.BYTES_MAX) {
        throw new UnusableFolderException(
            file, "no safetensors file: a header of " + Long.toUnsignedString(length) + " bytes");
      }
      long bodyAt = LENGTH_BYTES + length;
      if (bodyAt > size) {
        throw new UnusableFolderException(file, "cut off within its header");
      }
      byte[] text = read(channel, LENGTH_BYTES, (int) length).array();
      SafeTensorsHeader header = SafeTensorsHeader.parse(file, text, size - bodyAt);
      return new SafeTensors(file, header, bodyAt, Files.getLastModifiedTime(file));
    }
  }

  private static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (out.hasRemaining()) {
      if (channel.read(out, at + out.position()) < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
    return out.flip();
  }

  public Path file() {
    return file;
  }

  /** In the order they lie in the file. */
  public List<TensorSpec> specs() {
    return header.entries().values().stream().map(SafeTensorsHeader.Entry::spec).toList();
  }

  public Map<String, String> metadata() {
    return header.metadata();
  }

  public Optional<TensorSpec> spec(String name) {
    return Optional.ofNullable(header.entries().get(name)).map(SafeTensorsHeader.Entry::spec);
  }

  /** @throws UnusableFolderException where there is no such tensor, or one beyond 2 GB */
  public StoredTensor tensor(String name) throws IOException {
    SafeTensorsHeader.Entry entry = header.entries().get(name);
    if (entry == null) {
      throw new UnusableFolderException(file, "there is no tensor " + name);
    }
    long bytes = entry.to() - entry.from();
    if (bytes > Integer.MAX_VALUE) {
      throw new UnusableFolderException(
          file, entry.spec() + " has " + bytes + " bytes; one tensor may have 2 GB here");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != bodyAt + header.bodyBytes()
          || !Files.getLastModifiedTime(file).equals(written)) {
        throw new UnusableFolderException(file, "it was replaced after it had been opened");
      }
      ByteBuffer mapped =
          bytes == 0
              ? ByteBuffer.allocate(0)
              : channel.map(FileChannel.MapMode.READ_ONLY, bodyAt + entry.from(), bytes);
      return new StoredTensor(name, entry.spec().dtype(), entry.spec().shape(), mapped);
    }
  }

  public List<StoredTensor> tensors() throws IOException {
    List<StoredTensor> out = new ArrayList<>();
    for (TensorSpec spec : specs()) {
      out.add(tensor(spec.name()));
    }
    return out;
  }

  /** In the given order, but wide elements before narrow ones. */
  public static void write(Path file, Collection<StoredTensor> tensors) throws IOException {
    Map<String, StoredTensor> byName =
        tensors.stream().collect(Collectors.toMap(StoredTensor::name, Function.identity()));
    List<TensorSpec> specs = tensors.stream().map(StoredTensor::spec).toList();
    write(file, specs, name -> byName.get(name).bytes(), PYTORCH);
  }

  /**
   * One tensor after the other, so that no two need to be in memory.
   *
   * @param bytes the content of a tensor, asked for once each, in the order of the file
   */
  public static void write(
      Path file, List<TensorSpec> specs, TensorBytes bytes, Map<String, String> metadata)
      throws IOException {
    SafeTensorsHeader layout = SafeTensorsHeader.laidOut(specs, metadata);
    byte[] text = layout.toBytes();
    WholeFile.write(
        file,
        out -> {
          ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
          WholeFile.writeAll(out, length.putLong(text.length).flip());
          WholeFile.writeAll(out, ByteBuffer.wrap(text));
          for (SafeTensorsHeader.Entry entry : layout.entries().values()) {
            ByteBuffer content = bytes.of(entry.spec().name());
            if (content.remaining() != entry.spec().bytes()) {
              throw new IllegalArgumentException(
                  entry.spec() + " was given " + content.remaining() + " bytes");
            }
            WholeFile.writeAll(out, content);
          }
        });
  }

  /** Where the bytes of a tensor come from: little endian, from position to limit. */
  public interface TensorBytes {
    ByteBuffer of(String name) throws IOException;
  }
}
