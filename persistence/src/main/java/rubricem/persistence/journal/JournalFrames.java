package rubricem.persistence.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one write: its events one behind the other, each as serializer id, manifest and
 * payload. All lengths and the id are unsigned LEB128 (the id zig-zag); the first byte is the
 * version of the frame.
 */
final class JournalFrames {
  private static final byte VERSION = 1;

  private JournalFrames() {}

  /** One event as its serializer wrote it. */
  record Frame(int serializer, String manifest, byte[] payload) {}

  static byte[] write(List<Frame> frames) {
    int room = 1;
    List<byte[]> manifests = new ArrayList<>(frames.size());
    for (Frame frame : frames) {
      byte[] manifest = frame.manifest().getBytes(StandardCharsets.UTF_8);
      manifests.add(manifest);
      room += 15 + manifest.length + frame.payload().length;
    }
    ByteBuffer out = ByteBuffer.allocate(room);
    out.put(VERSION);
    for (int i = 0; i < frames.size(); i++) {
      Frame frame = frames.get(i);
      putInt(out, (frame.serializer() << 1) ^ (frame.serializer() >> 31));
      putInt(out, manifests.get(i).length);
      out.put(manifests.get(i));
      putInt(out, frame.payload().length);
      out.put(frame.payload());
    }
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  static List<Frame> read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    if (version != VERSION) {
      throw new JournalUnusable(
          "A stored write has frame version " + version + "; this program knows " + VERSION
              + ". It was written by a newer version of RubricEM: use that one.");
    }
    List<Frame> frames = new ArrayList<>();
    while (in.hasRemaining()) {
      int zigzag = getInt(in);
      byte[] manifest = new byte[getInt(in)];
      in.get(manifest);
      byte[] payload = new byte[getInt(in)];
      in.get(payload);
      frames.add(
          new Frame(
              (zigzag >>> 1) ^ -(zigzag & 1),
              new String(manifest, StandardCharsets.UTF_8),
              payload));
    }
    return frames;
  }

  private static void putInt(ByteBuffer out, int value) {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  private static int getInt(ByteBuffer in) {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
