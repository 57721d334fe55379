package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class TerminalTextTest {
  @Test
  void what_a_terminal_would_obey_is_shown() {
    assertEquals("a␛[31mb", TerminalText.line("a\u001b[31mb", 40));
    assertEquals("a<U+009B>31m ␀ ␡", TerminalText.line("a\u009b31m \u0000 \u007f", 40));
    assertEquals("x<U+202E>y", TerminalText.line("x\u202ey", 40));
    assertEquals("<U+D83C>", TerminalText.line("\ud83c", 40));
  }

  @Test
  void letters_of_every_language_stay() {
    String text = "Ebbe, 潮汐 🌊, می\u200cشود";
    assertEquals(text, TerminalText.line(text, 60));
  }

  @Test
  void a_line_is_cut_by_columns_and_not_by_characters() {
    assertEquals("潮汐潮…", TerminalText.line("潮汐潮汐潮汐", 8));
    assertEquals("one two", TerminalText.line(" one\n\ttwo ", 8));
  }

  @Test
  void no_line_of_a_block_begins_at_the_margin() {
    assertEquals("  a\n  ␍b\n\n  c\n", TerminalText.block("a\n\rb\n\nc", "  "));
  }

  @Test
  void json_stays_the_same_for_programs() throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    String json = mapper.writeValueAsString("a\u009b\u202e\u007f\u001b 🌊\\");
    String safe = TerminalText.json(json);
    assertEquals(-1, safe.indexOf('\u009b') + safe.indexOf('\u202e') + 1);
    assertEquals(mapper.readTree(json), mapper.readTree(safe));
  }
}
