package rubricem.gpu.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text file with their numbers, blank ones left out. Lines may end as on any system,
 * and a byte order mark at the beginning is none of the text. A line without an end in sight is
 * refused before it fills the memory; so are bytes that are no UTF-8, for replaced characters would
 * be trained on.
 */
public final class JsonLines implements AutoCloseable {
  /** A record of a million tokens with its mask has 10 million. */
  public static final int LINE_CHARS_MAX = 64 << 20;

  /** What is no text of lines, with the reason alone. */
  public static final class Malformed extends IOException {
    private final String reason;

    Malformed(Path file, String reason) {
      super(file + ": " + reason);
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }

  private static final char MARK = '\uFEFF';

  private final Path file;
  private final int charsMax;
  private final BufferedReader reader;
  private int number;

  JsonLines(Path file, int charsMax) throws IOException {
    this.file = file;
    this.charsMax = charsMax;
    reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
  }

  public static JsonLines open(Path file) throws IOException {
    return new JsonLines(file, LINE_CHARS_MAX);
  }

  /** The next line with something in it; null after the last. */
  public @Nullable String next() throws IOException {
    try {
      for (String line = line(); line != null; line = line()) {
        number++;
        if (number == 1 && !line.isEmpty() && line.charAt(0) == MARK) {
          line = line.substring(1);
        }
        if (!line.isBlank()) {
          return line;
        }
      }
      return null;
    } catch (CharacterCodingException e) {
      throw new Malformed(file, "it is no UTF-8 text, from line " + (number + 1) + " on");
    }
  }

  private @Nullable String line() throws IOException {
    StringBuilder out = new StringBuilder();
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      if (c == '\n') {
        return out.toString();
      }
      if (c == '\r') {
        skipNewline();
        return out.toString();
      }
      if (out.length() == charsMax) {
        throw new Malformed(
            file,
            "line " + (number + 1) + " is longer than " + charsMax
                + " characters; each line is one record");
      }
      out.append((char) c);
    }
    return out.isEmpty() ? null : out.toString();
  }

  private void skipNewline() throws IOException {
    reader.mark(1);
    int next = reader.read();
    if (next >= 0 && next != '\n') {
      reader.reset();
    }
  }

  /** Of the line that came last, counted from 1, blank ones included. */
  public int number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
