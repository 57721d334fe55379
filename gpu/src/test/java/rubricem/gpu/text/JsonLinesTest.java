package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as other systems write them. */
class JsonLinesTest {
  @TempDir Path scratch;

  private List<String> read(byte[] bytes, int charsMax) throws IOException {
    Path file = scratch.resolve("lines");
    Files.write(file, bytes);
    List<String> out = new ArrayList<>();
    try (JsonLines lines = new JsonLines(file, charsMax)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        out.add(lines.number() + " " + line);
      }
    }
    return out;
  }

  private List<String> read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8), 10);
  }

  @Test
  void lines_end_as_on_any_system_and_keep_their_numbers() throws IOException {
    assertEquals(List.of("1 a", "3 b", "4 c"), read("a\n\nb\nc"));
    assertEquals(List.of("1 a", "3 b", "4 c"), read("a\r\n\r\nb\r\nc\r\n"));
    assertEquals(List.of("1 a", "3 b", "4 c"), read("a\r\rb\rc\r"));
    assertEquals(List.of(), read(""));
    assertEquals(List.of(), read("\n \n\t\n"));
  }

  @Test
  void a_mark_at_the_beginning_is_no_text() throws IOException {
    assertEquals(List.of("1 a", "2 \uFEFFb"), read("\uFEFFa\n\uFEFFb\n"));
    assertEquals(List.of(), read("\uFEFF\n"));
  }

  @Test
  void a_line_without_end_is_refused_with_its_number() throws IOException {
    assertEquals(List.of("1 0123456789"), read("0123456789\n"));
    JsonLines.Malformed e =
        assertThrows(JsonLines.Malformed.class, () -> read("a\n01234567890\nb"));
    assertTrue(e.reason().startsWith("line 2 is longer than 10 characters"), e.reason());
  }

  @Test
  void bytes_that_are_no_text_are_refused_with_their_line() {
    JsonLines.Malformed e =
        assertThrows(
            JsonLines.Malformed.class, () -> read(new byte[] {'a', '\n', (byte) 0xff, 1}, 10));
    assertTrue(e.reason().startsWith("it is no UTF-8 text, from line"), e.reason());
  }
}
