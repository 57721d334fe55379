package rubricem.persistence.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one write: its events one behind the other, each as serializer id, manifest and
 * payload. All lengths and the id are unsigned LEB128 (the id zig-zag); the first byte is the
 * version: 1 as it is, 2 with its length and then deflated. Texts shrink to half, and what is
 * written to disk is what limits how many episodes a node can run.
 */
final class JournalFrames {
  private static final byte PLAIN = 1;
  private static final byte DEFLATED = 2;

  /** Shorter writes gain nothing. */
  private static final int DEFLATED_MIN = 512;

  /** Longer ones do not exist: a damaged length must not ask for memory. */
  private static final int LENGTH_MAX = 1 << 30;

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
    out.put(PLAIN);
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
    return bytes.length < DEFLATED_MIN ? bytes : deflated(bytes);
  }

  private static byte[] deflated(byte[] plain) {
    int head = 1 + lengthOfInt(plain.length - 1);
    byte[] deflated = Deflated.deflate(plain, 1, head);
    if (deflated.length >= plain.length) {
      return plain;
    }
    ByteBuffer out = ByteBuffer.wrap(deflated);
    out.put(DEFLATED);
    putInt(out, plain.length - 1);
    return deflated;
  }

  static List<Frame> read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    if (version == DEFLATED) {
      int length = getInt(in);
      if (length < 0 || length > LENGTH_MAX) {
        throw new JournalUnusable("A stored write has no sensible length: the file is damaged.");
      }
      return frames(ByteBuffer.wrap(Deflated.inflate(bytes, in.position(), length)));
    }
    if (version != PLAIN) {
      throw new JournalUnusable(
          "A stored write has frame version " + version + "; this program knows " + DEFLATED
              + ". It was written by a newer version of RubricEM: use that one.");
    }
    return frames(in);
  }

  private static List<Frame> frames(ByteBuffer in) {
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

  private static int lengthOfInt(int value) {
    return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
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
