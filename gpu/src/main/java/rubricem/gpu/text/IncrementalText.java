package rubricem.gpu.text;

/**
 * The text of a generation while it grows, token by token. A character whose bytes are not all
 * there yet is held back; all parts joined are the text that decoding everything at once gives.
 * Broken characters are replaced as tokenizer libraries do, one mark for each longest part that
 * could have become a character; Java's own decoder counts halves of surrogates differently. One
 * of them serves one generation and one thread.
 */
public final class IncrementalText {
  private static final char REPLACEMENT = '\ufffd';

  private final TokenBytes bytes;
  private int held;
  private int missing;
  private int character;
  private int lowest;
  private int highest;

  public IncrementalText(TokenBytes bytes) {
    this.bytes = bytes;
  }

  /** What can be shown now that it could not before; often empty. */
  public String add(int id) {
    return add(bytes.of(id));
  }

  String add(byte[] more) {
    StringBuilder out = new StringBuilder(more.length);
    for (byte b : more) {
      int value = Byte.toUnsignedInt(b);
      if (missing > 0 && (value < lowest || value > highest)) {
        out.append(REPLACEMENT);
        missing = 0;
      }
      if (missing > 0) {
        goOn(value, out);
      } else {
        begin(value, out);
      }
    }
    return out.toString();
  }

  private void begin(int value, StringBuilder out) {
    held = 1;
    lowest = 0x80;
    highest = 0xbf;
    if (value < 0x80) {
      out.append((char) value);
    } else if (value >= 0xc2 && value <= 0xdf) {
      missing = 1;
      character = value & 0x1f;
    } else if (value >= 0xe0 && value <= 0xef) {
      missing = 2;
      character = value & 0x0f;
      // no forms longer than needed, no surrogates
      lowest = value == 0xe0 ? 0xa0 : 0x80;
      highest = value == 0xed ? 0x9f : 0xbf;
    } else if (value >= 0xf0 && value <= 0xf4) {
      missing = 3;
      character = value & 0x07;
      lowest = value == 0xf0 ? 0x90 : 0x80;
      highest = value == 0xf4 ? 0x8f : 0xbf;
    } else {
      out.append(REPLACEMENT);
    }
  }

  private void goOn(int value, StringBuilder out) {
    character = character << 6 | value & 0x3f;
    held++;
    missing--;
    lowest = 0x80;
    highest = 0xbf;
    if (missing == 0) {
      out.appendCodePoint(character);
    }
  }

  /** Bytes that no character has completed yet. */
  public int heldBytes() {
    return missing > 0 ? held : 0;
  }

  /** The generation is over: what was held back, as a replacement character. */
  public String finish() {
    boolean broken = missing > 0;
    missing = 0;
    return broken ? Character.toString(REPLACEMENT) : "";
  }
}
