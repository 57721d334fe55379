package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.CorpusStatus.Unreadable;

class DocumentFormatsTest {
  @TempDir Path folder;
  private Shelf shelf;

  @BeforeEach
  void open() throws Exception {
    shelf =
        Shelf.in(folder)
            .with(CompletableFuture.failedFuture(new IllegalStateException("words only")));
  }

  @Test
  void a_word_file_is_read_with_its_tables() throws Exception {
    shelf.put("a.docx", OfficeFiles.docx("Rivers", "The Elbe flows north.", "zanzibarite"));
    shelf.run();
    assertTrue(first("Elbe").text().startsWith("The Elbe flows north."));
    assertTrue(first("zanzibarite").text().endsWith("| Name | Meaning |\n| key | zanzibarite |"));
    assertTrue(first("Elbe").title().contains("Rivers"), first("Elbe").title());
  }

  @Test
  void a_slide_show_is_read_by_slide_with_its_notes() throws Exception {
    shelf.put("a.pptx", OfficeFiles.pptx("Budget", "We spend less.", "Mention quokkas here."));
    shelf.run();
    assertEquals("slide 2", first("spend").position());
    assertEquals("slide 2, notes", first("quokkas").position());
  }

  @Test
  void a_sheet_repeats_its_header_above_every_group_of_rows() throws Exception {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("Country", "Capital"));
    for (int i = 0; i < 200; i++) {
      rows.add(List.of("country" + i, "capital" + i));
    }
    shelf.put("a.xlsx", OfficeFiles.xlsx("World", rows));
    shelf.run();
    Passage found = first("capital177");
    assertTrue(found.text().startsWith("| Country | Capital |\n"), found.text());
    assertEquals("sheet World", found.position());
  }

  @Test
  void separated_values_are_a_table_too() throws Exception {
    shelf.put("a.csv", "Country,Capital\nPeru,Lima\nChile,Santiago\nGhana,Accra\n");
    shelf.put("b.csv", "Vessels of 2024\nVessel,Berth\nBarge,east pier\n");
    shelf.run();
    assertTrue(first("Accra").text().startsWith("| Country | Capital |\n"), first("Accra").text());
    assertEquals(
        "Vessels of 2024\n| Vessel | Berth |\n| Barge | east pier |", first("pier").text());
  }

  @Test
  void an_open_document_text_and_a_book_are_read() throws Exception {
    shelf.put("a.odt", OfficeFiles.odt("Lakes", "Baikal is deep.", "xylophonic"));
    shelf.put("b.epub", OfficeFiles.epub("On Tea", "Green", "Sencha is steamed."));
    shelf.run();
    assertTrue(first("Baikal").text().startsWith("Baikal is deep."));
    assertTrue(first("Baikal").title().contains("Lakes"));
    assertTrue(first("xylophonic").text().contains("xylophonic"));
    assertEquals("On Tea › Green", first("Sencha").title());
  }

  @Test
  void a_pdf_is_read_by_page_without_running_headers_but_with_footnotes() throws Exception {
    List<List<String>> pages = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      pages.add(
          List.of("Annual Report 2020", "", "Body number word" + i + " stands here.", "More text.",
              "", "1 Footnote about okapi" + i + " below.", "", "Page " + i + " of 5"));
    }
    shelf.put("a.pdf", OfficeFiles.pdf(pages));
    shelf.run();
    Passage found = first("okapi3");
    assertEquals("page 3", found.position());
    assertTrue(found.text().contains("word3"), found.text());
    assertFalse(found.text().contains("Annual Report"), found.text());
    assertFalse(found.text().contains("of 5"), found.text());
  }

  @Test
  void what_gives_no_text_is_listed_with_its_reason() throws Exception {
    byte[] whole = OfficeFiles.docx("Rivers", "The Elbe flows north.", "cell");
    byte[] pdf = OfficeFiles.pdf(List.of(List.of("Text of a page.")));
    shelf.put("cut.docx", Arrays.copyOf(whole, whole.length / 2));
    shelf.put("cut.pdf", Arrays.copyOf(pdf, pdf.length / 3));
    shelf.put("empty.txt", "");
    shelf.put("locked.docx", OfficeFiles.encryptedDocx());
    shelf.put("locked.pdf", OfficeFiles.encryptedPdf(List.of(List.of("Secret."))));
    shelf.put("scan.pdf", OfficeFiles.scannedPdf(3));
    IndexingOutcome outcome = shelf.run();
    assertEquals(0, outcome.documents());
    assertEquals(
        List.of(
            "cut.docx: truncated", "cut.pdf: truncated", "empty.txt: empty",
            "locked.docx: encrypted", "locked.pdf: encrypted", "scan.pdf: scanned"),
        outcome.unreadable().stream().map(DocumentFormatsTest::kind).toList());
  }

  private static String kind(Unreadable one) {
    return one.document() + ": " + one.reason().split("[ :]")[0];
  }

  @Test
  void a_file_that_expands_without_measure_is_refused() throws Exception {
    shelf.put("bomb.odt", OfficeFiles.odt("H", "a ".repeat(5_000_000), "cell"));
    shelf.put("fine.odt", OfficeFiles.odt("H", "Pumas leap.", "cell"));
    IndexingOutcome outcome = shelf.run();
    assertEquals(1, outcome.documents());
    assertTrue(
        outcome.unreadable().getFirst().reason().startsWith("refused: it expands"),
        outcome.unreadable().getFirst().reason());
  }

  @Test
  void markdown_is_read_as_its_page_is_seen_and_without_comments() throws Exception {
    shelf.put(
        "a.md",
        """
        ---
        title: Field notes
        ---
        # Birds

        The **kakapo** cannot fly, see [here](x.html).
        <!-- hidden: obey -->

        | Name | Weight |
        |------|--------|
        | kiwi | 2 kg   |

        ```
        # no heading
        ```
        """);
    shelf.run();
    Passage found = first("kakapo");
    assertEquals("Field notes › Birds", found.title());
    assertTrue(found.text().startsWith("The kakapo cannot fly, see here."), found.text());
    assertEquals(
        "Set wind_speed_max to 3 * 4, or a < b.\nfirst one\nsecond",
        InlineText.of(
            "Set `wind_speed_max` to 3 * 4, or a < b.\n- *first* __one__\n- ![second](x.png)"));
    assertEquals(List.of(), shelf.documentsWith("obey"));
    assertTrue(first("kiwi").text().contains("| Name | Weight |\n| kiwi | 2 kg |"));
    assertEquals("Field notes › Birds", first("heading").title());
  }

  @Test
  void the_content_decides_what_a_file_is() throws Exception {
    shelf.put("pdf.txt", OfficeFiles.pdf(List.of(List.of("Wombats dig burrows."))));
    shelf.put("html.pdf", "<!DOCTYPE html><html><body><p>Numbats eat termites.</p></body></html>");
    shelf.put("docx.csv", OfficeFiles.docx("H", "Quolls climb trees.", "cell"));
    shelf.run();
    assertEquals("pdf.txt", first("wombats").document());
    assertEquals("Numbats eat termites.", first("numbats").text());
    assertEquals("docx.csv", first("quolls").document());
  }

  @Test
  void old_charsets_are_recognised() throws Exception {
    String german = "Die Größe der Bäume überrascht viele Gäste. Süßes Brötchen für alle Bürger.";
    shelf.put("latin.txt", german.getBytes(StandardCharsets.ISO_8859_1));
    shelf.put("wide.txt", ("\uFEFF" + german).getBytes(StandardCharsets.UTF_16LE));
    String russian = "Москва является столицей России. Население города растёт каждый год.";
    shelf.put("koi.txt", russian.repeat(5).getBytes(Charset.forName("KOI8-R")));
    shelf.run();
    assertEquals(german, shelf.find("Größe").getFirst().text());
    assertEquals(2, shelf.documentsWith("Brötchen").size());
    assertTrue(shelf.documentsWith("столицей").contains("koi.txt"));
  }

  @Test
  void bounds_give_a_reason_and_never_a_part() throws Exception {
    shelf.put("long.txt", "Many words. ".repeat(1000));
    shelf.put("big.txt", "x".repeat(30_000));
    shelf.put("fine.txt", "Short.");
    Shelf bounded = shelf.with(Shelf.bounds(10, 20_000, 5_000, Duration.ofSeconds(20)));
    IndexingOutcome outcome = bounded.run();
    assertEquals(1, outcome.documents());
    assertTrue(outcome.unreadable().get(0).reason().contains("more than 20000 bytes"));
    assertTrue(outcome.unreadable().get(1).reason().contains("more than 5000 characters"));
  }

  @Test
  void more_files_than_the_bound_are_said_to_be_left_out() throws Exception {
    for (int i = 0; i < 5; i++) {
      shelf.put(i + ".txt", "Text.");
    }
    IndexingOutcome outcome =
        shelf.with(Shelf.bounds(3, 1000, 1000, Duration.ofSeconds(20))).run();
    assertEquals(3, outcome.documents());
    assertTrue(outcome.problems().getFirst().reason().contains("more than 3 files"));
  }

  private Passage first(String words) throws Exception {
    List<Passage> found = shelf.find(words);
    assertFalse(found.isEmpty(), () -> "nothing holds " + words);
    return found.getFirst();
  }
}
