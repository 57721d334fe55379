package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PdfPagesTest {
  private static final List<String> ROMAN = List.of("iii", "iv", "v", "vi", "vii", "viii");

  private static List<Block> read(List<List<String>> pages) throws Exception {
    Reading reading =
        new DocumentReader(CorpusSettings.defaults())
            .read(OfficeFiles.pdf(pages), "a.pdf", Set.of());
    return ((Reading.Text) reading).blocks();
  }

  private static List<Block> read(int pages, IntFunction<List<String>> page) throws Exception {
    return read(IntStream.range(0, pages).mapToObj(page).toList());
  }

  private static String textOf(List<Block> blocks) {
    return blocks.stream().map(Block::text).collect(Collectors.joining("\n"));
  }

  /** Lines that no page shares with another. */
  private static List<String> body(int page) {
    String word = "abcdefghijklmnopqrstuvwxyz".substring(page, page + 1).repeat(4);
    return List.of(
        "Here begins what the sheet " + word + " has to tell its readers.",
        "There the " + word + " goes on in the middle of the sheet.",
        "And so it is that " + word + " comes to its end on this sheet.");
  }

  private static List<String> framed(List<String> above, int page, List<String> below) {
    List<String> lines = new ArrayList<>(above);
    lines.addAll(body(page));
    lines.addAll(below);
    return lines;
  }

  @Test
  void heads_that_take_turns_and_change_with_the_chapter_are_no_text() throws Exception {
    List<Block> blocks =
        read(
            14,
            i ->
                i == 0
                    ? body(0)
                    : framed(
                        List.of(
                            i % 2 == 1
                                ? 16 + i + " RIVERS OF EUROPE"
                                : (i < 7 ? "The Elbe " : "The Oder ") + (16 + i)),
                        i, List.of()));
    String text = textOf(blocks);
    assertFalse(text.contains("RIVERS"), text);
    assertFalse(text.contains("The Elbe"), text);
    assertFalse(text.contains("The Oder"), text);
    assertEquals(14, text.split("comes to its end").length - 1);
  }

  @Test
  void a_chapter_head_without_a_number_goes_where_most_pages_have_one() throws Exception {
    List<Block> blocks =
        read(
            12,
            i ->
                i % 6 == 0
                    ? body(i)
                    : framed(List.of(i < 6 ? "Of Lamps" : "Of Wicks"), i, List.of("" + (i + 1))));
    String text = textOf(blocks);
    assertFalse(text.contains("Of Lamps") || text.contains("Of Wicks"), text);
    assertFalse(text.matches("(?s).*\\d.*"), text);
  }

  @Test
  void page_numbers_go_in_whatever_dress() throws Exception {
    List<IntFunction<String>> dresses =
        List.of(
            i -> "" + (i + 1), i -> "- " + (i + 1) + " -", i -> "Page " + (i + 1) + " of 6",
            i -> (i + 1) + "/6", i -> "4-" + (i + 1), i -> "p. " + (i + 101), ROMAN::get);
    for (IntFunction<String> dress : dresses) {
      String text = textOf(read(6, i -> framed(List.of(), i, List.of(dress.apply(i)))));
      assertTrue(text.endsWith("on this sheet."), text);
    }
  }

  @Test
  void numbers_that_do_not_count_pages_are_text() throws Exception {
    Set<String> rows = new HashSet<>();
    List<List<String>> pages = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<String> page = new ArrayList<>(List.of("Yearly figures of the harbour"));
      for (int row = 0; row < 8; row++) {
        page.add((i * 8 + row) * 7 % 97 + " " + (i * 31 + row * 13) + " " + (i * 8 + row) * 3);
      }
      rows.addAll(page.subList(1, page.size()));
      pages.add(page);
    }
    String text = textOf(read(pages));
    for (String row : rows) {
      assertTrue(text.contains(row), row + " is not in " + text);
    }
    assertFalse(text.contains("Yearly"), text);
  }

  @Test
  void the_head_of_a_table_that_goes_on_over_some_pages_is_text() throws Exception {
    String text =
        textOf(
            read(
                12,
                i ->
                    i >= 4 && i < 8
                        ? framed(List.of("Port Depth Lights"), i, List.of())
                        : body(i)));
    assertEquals(4, text.split("Port Depth Lights", -1).length - 1, text);
  }

  @Test
  void two_pages_prove_nothing() throws Exception {
    String text =
        textOf(read(2, i -> framed(List.of("Of Lamps"), i, List.of("Page " + (i + 1)))));
    assertTrue(text.contains("Page 1") && text.contains("Page 2"), text);
    assertEquals(2, text.split("Of Lamps", -1).length - 1, text);
  }

  @Test
  void a_sentence_over_a_page_break_stands_whole_on_the_page_where_it_begins() throws Exception {
    List<List<String>> pages = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      pages.add(
          List.of(
              "The Keeper's Handbook",
              i == 0 ? "It begins here without much ado, as books do."
                  : "keeper" + i + " has climbed all the stairs. Then he rests.",
              List.of("Oil", "Brass", "Glass", "Rope").get(i)
                  + " is looked at before the lamp is lit, and that only once the",
              "Page " + (i + 1)));
    }
    List<Block> blocks = read(pages);
    List<Block> whole =
        blocks.stream().filter(b -> b.text().contains("once the keeper2 has climbed")).toList();
    assertEquals(List.of("page 2"), whole.stream().map(Block::place).toList());
    assertEquals("page=2", whole.getFirst().anchor());
    assertTrue(whole.getFirst().text().endsWith("once the keeper2 has climbed all the stairs."));
    Block third = blocks.stream().filter(b -> b.place().equals("page 3")).findFirst().orElseThrow();
    assertTrue(third.text().startsWith("Then he rests."), third.text());
  }

  @Test
  void what_only_looks_unfinished_is_left_on_its_page() throws Exception {
    List<Block> blocks =
        read(
            List.of(
                List.of("The wick is trimmed, and the lamp is lit.", "", "1 See the appendix"),
                List.of("wicks of cotton are best. They last."),
                List.of("A Title"),
                List.of("and more of it.")));
    assertEquals("1 See the appendix", blocks.get(1).text());
    assertEquals("wicks of cotton are best. They last.", blocks.get(2).text());
    assertEquals("A Title", blocks.get(3).text());
  }

  @Test
  void a_heading_whose_number_moves_with_the_page_is_text() throws Exception {
    List<IntFunction<String>> headings =
        List.of(
            i -> "Invoice " + (4711 + i), i -> "Invoice " + (i + 1), i -> (i + 1) + " Exercise",
            i -> "" + (2019 + i), i -> "Order for the yard, no. " + (i + 1));
    for (IntFunction<String> heading : headings) {
      String text = textOf(read(6, i -> framed(List.of(heading.apply(i)), i, List.of())));
      for (int i = 0; i < 6; i++) {
        assertTrue(text.contains(heading.apply(i)), heading.apply(i) + " is not in " + text);
      }
    }
  }

  @Test
  void pages_that_are_nearly_alike_keep_all_their_lines_but_head_and_foot() throws Exception {
    IntFunction<List<String>> lines =
        i ->
            List.of(
                "The tongue of the ice drew back by 34 metres in the year " + (2014 + i) + " alone.",
                "It rests on a bed of dark slate that warms quickly in July.",
                "Measurements by satellite began in " + (2001 + i) + " and go on every",
                "autumn until the first lasting snow.",
                "The depth below the pass was found in campaign " + (i + 1) + " to be about");
    String text =
        textOf(
            read(
                6,
                i -> {
                  List<String> page = new ArrayList<>(List.of("ANNALS OF ICE VOL. 17 " + (101 + i)));
                  page.addAll(lines.apply(i));
                  page.add("Downloaded from example.org by guest");
                  return page;
                }))
            .replace('\n', ' ');
    for (int i = 0; i < 6; i++) {
      for (String line : lines.apply(i)) {
        assertTrue(text.contains(line), line + " is not in " + text);
      }
    }
    assertEquals(6, text.split("warms quickly", -1).length - 1);
    assertFalse(text.contains("ANNALS") || text.contains("Downloaded"), text);
  }

  @Test
  void a_page_that_is_little_but_its_head_keeps_it() throws Exception {
    String text =
        textOf(
            read(
                6,
                i ->
                    i == 0
                        ? List.of("The Keeper's Handbook", "1")
                        : framed(List.of("The Keeper's Handbook"), i, List.of("" + (i + 1)))));
    assertEquals(2, text.split("The Keeper's Handbook", -1).length, text);
  }

  @Test
  void three_alike_lines_prove_nothing() throws Exception {
    String text = textOf(read(3, i -> framed(List.of("Of Lamps"), i, List.of())));
    assertEquals(3, text.split("Of Lamps", -1).length - 1, text);
  }

  @Test
  void labels_of_many_languages_go() throws Exception {
    List<IntFunction<String>> labels =
        List.of(
            i -> "Seite " + (i + 1) + " von 6", i -> "– " + (i + 1) + " –", i -> (i + 1) + " of 6",
            i -> "Handbook | " + (i + 1), i -> "Handbook Page " + (i + 1), i -> "[" + (i + 1) + "]");
    for (IntFunction<String> label : labels) {
      String text = textOf(read(6, i -> framed(List.of(), i, List.of(label.apply(i)))));
      assertTrue(text.endsWith("on this sheet."), text);
    }
  }
}
