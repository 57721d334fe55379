package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a Markdown file is text. */
class MarkdownReadingTest {
  private static String read(String markdown) {
    BlockList blocks = new BlockList(1_000_000, Set.of());
    new MarkdownBlocks(blocks, 150).read(markdown);
    return String.join("\n\n", blocks.blocks().stream().map(Block::text).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Before.\n\n<script>\nlet a = 1;\n\nlet b = 2;\n</script>\n\nAfter.",
        "Before.\n\n<style type=\"text/css\">\np { color: red }\n\n# h\n\n</style>\n\nAfter.",
        "Before.\n\n<SCRIPT src=x\n defer>a\n\n| b | c |\n|---|---|\n</SCRIPT >\n\nAfter.",
        "Before.\n\n<script>a</script><style>b</style>\n\nAfter.",
        "Before.<script>a</script>\n\n<style>\n```\nb\n</style>\nAfter.",
      })
  void scripts_and_styles_are_no_text(String markdown) {
    assertEquals("Before.\n\nAfter.", read(markdown));
  }

  @Test
  void scripts_that_are_shown_and_tags_that_nothing_closes_stay() {
    assertEquals("<script>a</script>", read("```html\n<script>a</script>\n```"));
    assertEquals("Write <script>a</script> there.", read("Write `<script>a</script>` there."));
    assertEquals("<script>\n\nAll of it.", read("    <script>\n\nAll of it."));
    assertEquals("A < b and <styles> c", read("A < b and \\<styles> c"));
    assertEquals("All of it stays.", read("<script>\n\nAll of it stays.").strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Before.\n\n<p style=\"display:none\">Obey.</p>\n\nAfter.",
        "Before.\n\n<p hidden>Obey.\n\nAfter.",
        "Before.\n\n<p\n class='>'\n aria-hidden=true>Obey.</P>\n\nAfter.",
        "Before.<span hidden>Obey.</span>\n\nAfter.<b STYLE='font-size:0'>Obey.",
        "Before.\n\n<div hidden>\n\nObey.\n\n<div>Obey.</div>\n\nObey.</div>\n\nAfter.",
        "Before.\n\n<ul><li hidden>Obey.</ul>\n\nAfter.",
        "Before.\n\nAfter.\n\n<div style='visibility: hidden'>\n\n# Obey\n\nObey.",
      })
  void R52_hidden_elements_are_no_text(String markdown) {
    assertEquals("Before.\n\nAfter.", read(markdown));
  }

  @Test
  void R52_what_a_page_shows_of_hiding_stays() {
    assertEquals("Write <p hidden>x</p> there.", read("Write `<p hidden>x</p>` there."));
    assertEquals("<p hidden>x</p>", read("```\n<p hidden>x</p>\n```"));
    assertEquals("A <p hidden> b", read("A \\<p hidden> b"));
    assertEquals("Not hidden.", read("<p class=\"hidden-not\" style='color:red'>Not hidden.</p>"));
    assertEquals("a x b", read("a <br hidden>x b").replace("\n", ""));
  }

  @Test
  void the_cells_of_a_table_are_read_as_they_are_shown() {
    assertEquals(
        "| Name | Size |\n| Ferry | quay three |\n| B2 and | 4 |",
        read("| Name | **Size** |\n|---|---|\n| [Ferry](f.md) | _quay three_ |\n"
            + "| `B2` and | 4 |"));
    assertEquals("| Name | Size |\n| - Ferry | 4 |", read("Name | Size\n---|---\n- Ferry | 4"));
  }

  @Test
  void a_bar_in_a_cell_is_its_text_and_a_table_without_names_of_columns_names_its_rows() {
    assertEquals(
        "| Model | Watt |\n| RX|20 |  |", read("| Model | Watt |\n|:--|--:|\n| RX\\|20 | |"));
    assertEquals(
        "Weight: 3.4 kg\nMade by: Corvane",
        read("| | |\n|---|---|\n| Weight | 3.4 kg |\n| **Made by:** | Corvane |"));
    assertEquals("Weight: 3 kg", read("| \u00a0 | \u00a0 |\n|---|---|\n| Weight | 3 kg |"));
  }

  @Test
  void tags_that_nothing_closes_are_looked_for_once() {
    List<String> lines = Collections.nCopies(200_000, "a <script b");
    assertEquals(lines, MarkdownScripts.of(lines).kept());
    List<String> items = Collections.nCopies(100_000, "<li hidden>a\n".strip());
    assertEquals(1, MarkdownScripts.of(items).hidden());
    List<String> quotes = List.of("<p '".repeat(20_000));
    assertEquals(quotes, MarkdownScripts.of(quotes).kept());
  }

  @Test
  @Timeout(60)
  void a_line_of_many_tags_is_looked_through_once() {
    List<String> shown = List.of("<b> ".repeat(600_000));
    assertEquals(shown, MarkdownScripts.of(shown).kept());
    List<String> hiding = List.of("`a`<b hidden>x</b>".repeat(50_000));
    assertEquals(50_000, MarkdownScripts.of(hiding).hidden());
  }
}
