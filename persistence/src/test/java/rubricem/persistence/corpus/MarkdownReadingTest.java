package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
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
  }

  @Test
  void tags_that_nothing_closes_are_looked_for_once() {
    List<String> lines = Collections.nCopies(200_000, "a <script b");
    assertEquals(lines, MarkdownScripts.without(lines));
  }
}
