package rubricem.persistence.journal;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Deflates and inflates the bytes of a write. The engines are kept by thread: making one costs more
 * than what it does for a few kilobytes. Used on the few platform threads of the journal only.
 */
final class Deflated {
  private static final ThreadLocal<Deflater> DEFLATERS =
      ThreadLocal.withInitial(() -> new Deflater(Deflater.BEST_SPEED, true));
  private static final ThreadLocal<Inflater> INFLATERS =
      ThreadLocal.withInitial(() -> new Inflater(true));

  private Deflated() {}

  /**
   * Deflates {@code bytes} from {@code from} on.
   *
   * @return {@code head} bytes of room, then the deflated ones; as long as needed
   */
  static byte[] deflate(byte[] bytes, int from, int head) {
    Deflater deflater = DEFLATERS.get();
    deflater.reset();
    deflater.setInput(bytes, from, bytes.length - from);
    deflater.finish();
    byte[] out = new byte[head + bytes.length / 2 + 64];
    int at = head;
    while (!deflater.finished()) {
      if (at == out.length) {
        out = Arrays.copyOf(out, out.length * 2);
      }
      at += deflater.deflate(out, at, out.length - at);
    }
    return Arrays.copyOf(out, at);
  }

  /** @param length of what comes out; a stored write says it */
  static byte[] inflate(byte[] bytes, int from, int length) {
    Inflater inflater = INFLATERS.get();
    inflater.reset();
    inflater.setInput(bytes, from, bytes.length - from);
    byte[] out = new byte[length];
    try {
      int at = 0;
      while (at < length) {
        int more = inflater.inflate(out, at, length - at);
        if (more == 0) {
          throw new JournalUnusable("A stored write is shorter than it says: the file is damaged.");
        }
        at += more;
      }
      if (inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
        throw new JournalUnusable("A stored write does not end where it says: the file is damaged.");
      }
      return out;
    } catch (DataFormatException e) {
      throw new JournalUnusable("A stored write cannot be inflated: the file is damaged.", e);
    }
  }
}
