package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import rubricem.gpu.Golden;

class IncrementalTextTest {
  private final IncrementalText text = new IncrementalText(bytes());

  private static TokenBytes bytes() {
    try {
      return TokenBytes.read(Files.readAllBytes(Golden.file("tokenizer/tokenizer.json")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_character_appears_when_its_last_byte_is_there() {
    List<String> parts = new ArrayList<>();
    for (byte b : "a\u00ef\u6771\ud83d\ude42".getBytes(StandardCharsets.UTF_8)) {
      parts.add(text.add(new byte[] {b}));
    }
    assertEquals(
        List.of("a", "", "\u00ef", "", "", "\u6771", "", "", "", "\ud83d\ude42"), parts);
    assertEquals(0, text.heldBytes());
    assertEquals("", text.finish());
  }

  @Test
  void what_no_byte_completes_becomes_one_replacement_at_the_end() {
    assertEquals("x", text.add(new byte[] {'x', (byte) 0xf0, (byte) 0x9f}));
    assertEquals(2, text.heldBytes());
    assertEquals("\ufffd", text.finish());
    assertEquals("y", text.add(new byte[] {'y'}));
  }

  @Test
  void a_broken_character_does_not_hold_back_what_follows() {
    assertEquals("", text.add(new byte[] {(byte) 0xe6}));
    assertEquals("\ufffdz", text.add(new byte[] {'z'}));
  }
}
