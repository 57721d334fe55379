package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import rubricem.persistence.corpus.Block.Shape;
import rubricem.protocol.evidence.UnreadableKind;

class HtmlReadingTest {
  private static final String ENTRY =
      "Determines how long the pump runs before it rests; a longer time wears out the bearing and"
          + " should only be chosen where the tank is large, the water clean and the night quiet.";

  @Test
  void headings_become_the_section_and_a_note_does_not() throws Exception {
    List<Block> blocks =
        blocks("<h1>Guide</h1><h2>Pumps</h2><div class=note><h3>Note</h3><p>Wet.</p></div>"
            + "<p>Dry.</p><h2>Tanks</h2><p>Deep.</p>");
    assertEquals(List.of("Guide", "Pumps"), block(blocks, "Wet.").section());
    assertEquals(List.of("Guide", "Pumps"), block(blocks, "Dry.").section());
    assertEquals(List.of("Guide", "Tanks"), block(blocks, "Deep.").section());
  }

  @Test
  void each_long_definition_is_a_passage_under_its_term() throws Exception {
    Cut cut =
        cut("<h1>Settings</h1><dl><dt>pump_time (integer)</dt><dd><p>" + ENTRY
            + "</p></dd><dt>pump_rest</dt><dd>" + ENTRY + "</dd></dl><p>After.</p>");
    assertEquals(3, cut.pieces().size());
    assertEquals(List.of("Settings", "pump_time (integer)"), cut.pieces().get(0).section());
    assertEquals(List.of("Settings", "pump_rest"), cut.pieces().get(1).section());
    assertEquals("pump_rest\n\n" + ENTRY, text(cut, 1));
    assertEquals(List.of("Settings"), cut.pieces().get(2).section());
  }

  @Test
  void definitions_of_one_line_share_a_passage_and_keep_their_terms() throws Exception {
    Cut cut = cut("<dl><dt>-a</dt><dd>All.</dd><dt>-b</dt><dd>Brief.</dd></dl>");
    assertEquals(List.of("-a: All.\n\n-b: Brief."), texts(cut));
  }

  @Test
  void a_table_is_cut_into_groups_of_rows_under_its_header() throws Exception {
    StringBuilder rows = new StringBuilder("<table><tr><th>Name</th><th>Meaning</th></tr>");
    for (int i = 0; i < 40; i++) {
      rows.append("<tr><td>n").append(i).append("</td><td>some words that explain it, row ")
          .append(i).append("</td></tr>");
    }
    Cut cut = cut(rows + "</table>");
    assertTrue(cut.pieces().size() > 2);
    for (String text : texts(cut)) {
      assertTrue(text.startsWith("| Name | Meaning |\n| n"), text);
    }
  }

  @Test
  void a_cell_over_several_rows_or_columns_stands_in_each() throws Exception {
    assertEquals(
        List.of(
            "| House | Room | Seats |\n| Alder | A1 | 24 |\n| Alder | A2 | 60 |\n"
                + "| Maple | M1 | 120 |"),
        texts(cut("<table><thead><tr><td>House</td><td>Room</td><td>Seats</td></tr></thead>"
            + "<tr><td rowspan=2>Alder</td><td>A1</td><td>24</td></tr>"
            + "<tr><td>A2</td><td>60</td></tr>"
            + "<tr><td>Maple</td><td>M1</td><td>120</td></tr></table>")));
    assertEquals(
        List.of("| Size low | Size high | Age |\nAll of them\n| 1 | 1 | 9 |"),
        texts(cut("<table><tr><th colspan=2>Size</th><th rowspan=2>Age</th></tr>"
            + "<tr><th>low</th><th>high</th></tr><tr><td colspan=3>All of them</td></tr>"
            + "<tr><td colspan=2>1</td><td>9</td></tr></table>")));
    String wide = "<td colspan=99999 rowspan=99999>x</td>".repeat(200);
    String text = texts(cut("<table><tr>" + wide + "</tr><tr>" + wide + "</tr></table>")).get(0);
    assertTrue(text.length() < 5_000, () -> "" + text.length());
  }

  @Test
  void a_first_row_is_a_header_only_where_all_of_it_is() throws Exception {
    assertEquals(
        List.of("Chief: Ines Marrow\nOpened: 1973"),
        texts(cut("<table><tr><th scope=row>Chief</th><td>Ines Marrow</td></tr>"
            + "<tr><th>Opened</th><td>1973</td></tr></table>")));
    assertEquals(
        List.of("| Line | Goes to |\n| T1 | Harbour |"),
        texts(cut("<table><tr><th>Line</th><th>Goes to</th></tr>"
            + "<tr><th>T1</th><td>Harbour</td></tr></table>")));
    assertEquals(
        List.of("Line | Goes to\nT1 | Harbour"),
        texts(cut("<table><tr><td>Line</td><td>Goes to</td></tr>"
            + "<tr><td>T1</td><td>Harbour</td></tr></table>")));
  }

  @Test
  void a_cell_over_all_columns_is_a_title_or_a_name_of_some_rows_and_no_column() throws Exception {
    assertEquals(
        List.of("Ferries\n| Route | Leaves |\nNorth quay\n| Lundy | 06:40 |"),
        texts(cut("<table><tr><th colspan=2>Ferries</th></tr>"
            + "<tr><th>Route</th><th>Leaves</th></tr><tr><td colspan=2>North quay</td></tr>"
            + "<tr><td>Lundy</td><td>06:40</td></tr></table>")));
    assertEquals(
        List.of("Tug Alba\nBuilt: 1973"),
        texts(cut("<table><tr><th colspan=2>Tug Alba</th></tr>"
            + "<tr><th>Built</th><td>1973</td></tr></table>")));
    assertEquals(
        List.of("Nothing is ever late.\nA saying"),
        texts(cut("<table><tr><td>&nbsp;</td><td>Nothing is ever late.</td><td>&nbsp;</td></tr>"
            + "<tr><td colspan=2>A saying</td><td>&nbsp;</td></tr></table>")));
    assertEquals(
        List.of("|  | Size low | Size high |\n| a | 1 | 2 |"),
        texts(cut("<table><tr><th>&nbsp;</th><th colspan=2>Size</th></tr>"
            + "<tr><th></th><th>low</th><th>high</th></tr>"
            + "<tr><td>a</td><td>1</td><td>2</td></tr></table>")));
  }

  @Test
  void a_group_of_rows_is_named_by_a_line_of_its_own_right_below_the_header_too() throws Exception {
    String names = "<tr><th>Ferry</th><th>Length</th><th>Berth</th></tr>";
    String north = "<tr><th colspan=3>Northern route</th></tr>";
    String row = "<tr><td>Alba</td><td>61 m</td><td>4</td></tr>";
    String south = "<tr><th colspan=3>Southern route</th></tr>";
    String last = "<tr><td>Brac</td><td>48 m</td><td>7</td></tr>";
    String written =
        "| Ferry | Length | Berth |\nNorthern route\n| Alba | 61 m | 4 |\n"
            + "Southern route\n| Brac | 48 m | 7 |";
    for (String table :
        List.of(
            names + north + row + south + last,
            "<thead>" + names + "</thead>" + north + row + south + last,
            "<thead>" + names + north + "</thead>" + row + south + last,
            names + north.replace(" colspan=3", "") + row + south + last)) {
      assertEquals(List.of(written), texts(cut("<table>" + table + "</table>")), table);
    }
    assertEquals(
        List.of("Ferries\n" + written),
        texts(cut("<table><tr><th colspan=3>Ferries</th></tr>"
            + names + north + row + south + last + "</table>")));
    assertEquals(
        List.of("| Ferry name | Length m |\nNorthern route\n| Alba | 61 |"),
        texts(cut("<table><tr><th>Ferry</th><th>Length</th></tr>"
            + "<tr><th>name</th><th>m</th></tr><tr><th colspan=2>Northern route</th></tr>"
            + "<tr><td>Alba</td><td>61</td></tr></table>")));
  }

  @Test
  void a_table_in_a_table_costs_no_second_look_at_what_is_in_it() throws Exception {
    String table = "<table><tr><td>deep ";
    for (String[] nest :
        new String[][] {
          {table, ""},
          {table, "</td></tr></table>"},
          {"<table><tr><td><a href=x>deep</a> ", "</td></tr></table>"},
          {"<div class=table>deep ", "</div>"}
        }) {
      String body = nest[0].repeat(20_000) + "end" + nest[1].repeat(20_000);
      assertTimeoutPreemptively(Duration.ofSeconds(8), () -> reading(page(body)), nest[0]);
    }
    assertEquals(
        List.of("deep", "deep", "deep end", "x | y", "low"),
        blocks(table.repeat(3) + "end</td></tr></table><table><tr><td>x</td><td>y</td></tr></table>"
            + "low</td></tr></table></td></tr></table>").stream().map(Block::text).toList());
  }

  @Test
  void the_title_of_a_table_is_a_heading_of_its_rows_only() throws Exception {
    List<Block> blocks =
        blocks("<h1>A</h1><table><caption>Sizes</caption><tr><td>x</td></tr></table>"
            + "<div class=table><p class=title>Weights</p><table><tr><td>y</td></tr></table></div>"
            + "<p>z</p>");
    assertEquals(List.of("A", "Sizes"), block(blocks, "x").section());
    assertEquals(List.of("A", "Weights"), block(blocks, "y").section());
    assertEquals(List.of("A"), block(blocks, "z").section());
  }

  @Test
  void navigation_contents_and_link_lists_are_no_text() throws Exception {
    String links = "<li><a href=#>One</a></li>".repeat(9);
    List<Block> blocks =
        blocks("<nav>Home Products</nav><header>Company</header><div class=toc>Contents</div>"
            + "<ul>" + links + "</ul><main><p>Real text.</p></main><footer>Imprint</footer>");
    assertEquals(List.of("Real text."), blocks.stream().map(Block::text).toList());
  }

  @Test
  void a_list_of_links_goes_and_one_in_a_list_of_text_goes_alone() throws Exception {
    String links = "<ul>" + "<li><a href=#>One</a></li>".repeat(5) + "</ul>";
    String four = "<ul>" + "<li><a href=#>Few</a></li>".repeat(4) + "</ul>";
    String text = "Words enough between the links that this is read as text. ";
    List<Block> blocks =
        blocks("<ul><li>" + text + links + "</li><li>" + text + "</li></ul>"
            + "<ul><li>" + links + "</li></ul>" + four
            + "<ul>" + "<li><a name=x>No link</a></li>".repeat(5) + "</ul>");
    List<String> read = blocks.stream().map(Block::text).toList();
    assertFalse(read.toString().contains("One"), read::toString);
    assertEquals(2, read.stream().filter(t -> t.equals(text.strip())).count(), read::toString);
    assertEquals(4, read.toString().split("Few", -1).length - 1, read::toString);
    assertEquals(5, read.toString().split("No link", -1).length - 1, read::toString);
  }

  @Test
  void hidden_text_is_left_out_and_counted() throws Exception {
    Reading.Text read =
        read("<p>Seen.</p><p style='display: none'>obey me</p><p hidden>and me</p>"
            + "<span aria-hidden=true>x</span><div style='font-size:0'>tiny</div>"
            + "<p>Ta\u200Bgs\u2060.</p>");
    assertEquals(
        List.of("Seen.", "Tags."), read.blocks().stream().map(Block::text).toList());
    assertTrue(read.notes().contains("4 hidden stretches of text were left out"));
    assertTrue(read.notes().contains("2 invisible characters were left out"));
  }

  @Test
  void code_keeps_its_lines_and_words_keep_together_across_tags() throws Exception {
    List<Block> blocks = blocks("<pre>a\n  b\n</pre><p>foo<b>bar</b> baz<br>qux</p>");
    assertEquals("a\n  b", blocks.get(0).text());
    assertEquals(Shape.LINES, blocks.get(0).shape());
    assertEquals("foobar baz qux", blocks.get(1).text());
  }

  @Test
  void a_heading_without_text_below_it_is_text() throws Exception {
    List<Block> blocks = blocks("<h1>A</h1><h2>Only a heading</h2><h2>B</h2><p>b</p>");
    assertEquals(Shape.PROSE, block(blocks, "Only a heading").shape());
    assertEquals(Shape.HEADING, block(blocks, "A").shape());
  }

  @Test
  void a_page_of_nothing_but_links_is_unreadable() throws Exception {
    String links = "<li><a href=#>One</a></li>".repeat(9);
    Reading reading = reading("<html><body><ul>" + links + "</ul></body></html>");
    assertEquals(
        UnreadableKind.ONLY_LINKS,
        assertInstanceOf(Reading.Unreadable.class, reading).kind());
    Reading nothing = reading("<html><body><p> </p></body></html>");
    assertEquals(
        UnreadableKind.EMPTY, assertInstanceOf(Reading.Unreadable.class, nothing).kind());
  }

  @Test
  void a_passage_knows_where_a_link_finds_it() throws Exception {
    List<Block> blocks =
        blocks("<p>Before.</p><h1>Pumps</h1><p>All.</p>"
            + "<div class=sect1 id=SEC-1><div class=titlepage><div><h2>One</h2></div></div>"
            + "<p>First.</p><h3>Deeper</h3><p>Down.</p></div>"
            + "<h2 id='two (b)'>Two</h2><p>Second.</p>"
            + "<a name=three></a><h2>Three</h2><p>Third.</p>"
            + "<h2><a id=vier></a>Four</h2><p>Fourth.</p>"
            + "<dl id=list><dt id=T-1>term</dt><dd>Meant.</dd><dt>other</dt><dd>Also.</dd></dl>"
            + "<table id=tab><caption>Sizes</caption><tr><td>Large.</td></tr></table>");
    String[][] rows = {
      {"Before.", ""}, {"All.", ""}, {"First.", "SEC-1"}, {"Down.", "SEC-1"},
      {"Second.", "two%20%28b%29"}, {"Third.", "three"}, {"Fourth.", "vier"},
      {"term: Meant.", "T-1"},
      {"other: Also.", "vier"}, {"Large.", "tab"}
    };
    for (String[] row : rows) {
      assertEquals(row[1], block(blocks, row[0]).anchor(), row[0]);
    }
  }

  @Test
  void nesting_without_end_does_not_break_it() throws Exception {
    Reading reading = reading("<html><body>" + "<div>".repeat(100_000) + "deep</body></html>");
    assertFalse(reading instanceof Reading.Asset);
  }

  @Test
  void a_frame_that_stands_on_every_page_of_a_folder_is_no_text(
      @org.junit.jupiter.api.io.TempDir java.nio.file.Path folder) throws Exception {
    Shelf shelf = Shelf.in(folder);
    for (int i = 0; i < 9; i++) {
      shelf.put(
          "p" + i + ".html",
          "<html><body><div class=x9>Acme wiki, the frame</div><h1>Usage</h1><p>Own" + i
              + " text of this page.</p><div>Edited by nobody</div></body></html>");
    }
    shelf.run();
    try (LuceneCorpus corpus = shelf.open()) {
      assertEquals("Usage\n\nOwn3 text of this page.", corpus.text("p3.html").orElseThrow());
    }
  }

  private static Reading reading(String html) throws Exception {
    return new TimedReading(java.time.Duration.ofSeconds(30))
        .run(() -> new DocumentReader(CorpusSettings.defaults())
            .read(html.getBytes(StandardCharsets.UTF_8), "a.html", Set.of()));
  }

  private static Reading.Text read(String body) throws Exception {
    return assertInstanceOf(Reading.Text.class, reading(page(body)));
  }

  private static String page(String body) {
    return "<!DOCTYPE html><html><body>" + body + "</body></html>";
  }

  private static List<Block> blocks(String body) throws Exception {
    return read(body).blocks();
  }

  private static Cut cut(String body) throws Exception {
    return PassageCut.of(blocks(body), 150);
  }

  private static String text(Cut cut, int piece) {
    return cut.text().substring(cut.pieces().get(piece).from(), cut.pieces().get(piece).to());
  }

  private static List<String> texts(Cut cut) {
    return cut.pieces().stream().map(p -> cut.text().substring(p.from(), p.to())).toList();
  }

  private static Block block(List<Block> blocks, String text) {
    return blocks.stream().filter(b -> b.text().equals(text)).findFirst().orElseThrow();
  }
}
