package rubricem.persistence.corpus;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import org.apache.tika.parser.txt.CharsetDetector;
import org.apache.tika.parser.txt.CharsetMatch;

/** Finds the charset of a text: its mark, then UTF-8 if it is valid, then a guess by frequency. */
final class TextDecoding {
  /** Enough to tell charsets apart; more costs time and decides nothing. */
  private static final int SAMPLE_BYTES = 64 << 10;

  private TextDecoding() {}

  static String decode(byte[] bytes) {
    Charset charset = charset(bytes);
    String text = new String(bytes, charset);
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  static Charset charset(byte[] bytes) {
    if (starts(bytes, 0xFE, 0xFF)) {
      return StandardCharsets.UTF_16BE;
    }
    if (starts(bytes, 0xFF, 0xFE)) {
      return StandardCharsets.UTF_16LE;
    }
    return isUtf8(bytes) ? StandardCharsets.UTF_8 : guess(bytes);
  }

  static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static Charset guess(byte[] bytes) {
    int length = Math.min(bytes.length, SAMPLE_BYTES);
    CharsetDetector detector = new CharsetDetector();
    detector.setText(java.util.Arrays.copyOf(bytes, length));
    CharsetMatch match = detector.detect();
    try {
      return match == null ? StandardCharsets.ISO_8859_1 : Charset.forName(match.getName());
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return StandardCharsets.ISO_8859_1;
    }
  }

  private static boolean starts(byte[] bytes, int first, int second) {
    return bytes.length >= 2 && (bytes[0] & 0xFF) == first && (bytes[1] & 0xFF) == second;
  }
}
