package rubricem.gpu.script;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The archive that libtorch's loader reads: one class without parameters whose methods are given
 * as text. Weights are arguments of the methods, never part of the archive, so one archive serves
 * any weights of its shape and any libtorch can run it. It does not check the text: the loader
 * does.
 */
public final class ScriptArchive {
  /** The name of the class in the archive; annotations of {@code self} in the text name it. */
  public static final String CLASS = "__torch__.M";

  private static final String HEADER =
      "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n";

  private ScriptArchive() {}

  /**
   * Packs methods into an archive.
   *
   * @param methods definitions in TorchScript, indented by two blanks
   * @return the bytes of a ZIP file without compression, as the loader wants it
   */
  public static byte[] of(String methods) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      store(zip, "m/data.pkl", object());
      store(zip, "m/constants.pkl", emptyTuple());
      store(zip, "m/code/__torch__.py", text(HEADER + methods));
      store(zip, "m/version", text("10\n"));
      store(zip, "m/byteorder", text("little"));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static void store(ZipOutputStream zip, String name, byte[] content) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(crc.getValue());
    // a fixed time, so that the same program is the same bytes
    entry.setTimeLocal(java.time.LocalDateTime.of(1980, 1, 1, 0, 0));
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  /** The pickle (protocol 2) of an object of the class with {@code training = True}. */
  private static byte[] object() {
    byte[] attribute = text("training");
    ByteBuffer pickle = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    pickle.put((byte) 0x80).put((byte) 2);
    pickle.put((byte) 'c').put(text("__torch__\nM\n"));
    pickle.put((byte) ')').put((byte) 0x81).put((byte) '}').put((byte) '(');
    pickle.put((byte) 'X').putInt(attribute.length).put(attribute);
    pickle.put((byte) 0x88).put((byte) 'u').put((byte) 'b').put((byte) '.');
    byte[] out = new byte[pickle.position()];
    pickle.flip().get(out);
    return out;
  }

  private static byte[] emptyTuple() {
    return new byte[] {(byte) 0x80, 2, ')', '.'};
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
