package rubricem.http.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.junit.jupiter.api.Test;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.scaffold.FormatLabel;

/** What stands where on the page: order from left to right, as an eye meets it. */
class ReportPdfDirectionTest {
  private static final String QUESTION = "מה גובה המגדל (Eiffel Tower) לפי הספר?";

  private record Line(float left, float right, String text) {}

  /** The glyphs of each line of the first page, left to right, Hebrew letters as they are. */
  private static List<Line> lines(ReportModel model) throws IOException {
    TreeMap<Integer, List<TextPosition>> rows = new TreeMap<>();
    try (PDDocument document = Loader.loadPDF(new ReportPdf(List.of()).render(model))) {
      PDFTextStripper glyphs =
          new PDFTextStripper() {
            @Override
            protected void processTextPosition(TextPosition glyph) {
              rows.computeIfAbsent(Math.round(glyph.getY()), y -> new ArrayList<>()).add(glyph);
            }
          };
      glyphs.setEndPage(1);
      glyphs.getText(document);
    }
    return rows.values().stream().map(ReportPdfDirectionTest::line).toList();
  }

  private static Line line(List<TextPosition> row) {
    row.sort(Comparator.comparingDouble(TextPosition::getX));
    List<TextPosition> seen = row.stream().filter(g -> !g.getUnicode().isBlank()).toList();
    return new Line(
        seen.isEmpty() ? 0 : seen.getFirst().getX(),
        seen.isEmpty() ? 0 : seen.getLast().getX() + seen.getLast().getWidth(),
        row.stream().map(TextPosition::getUnicode).collect(Collectors.joining())
            .replace("\uFB00", "ff").replaceAll("[\\s\u2060]+", " ").strip());
  }

  private static Line line(ReportModel model, String part) throws IOException {
    List<Line> all = lines(model);
    return all.stream().filter(l -> l.text().contains(part)).findFirst()
        .orElseThrow(() -> new AssertionError(part + " is not in " + all));
  }

  private static String turned(String hebrew) {
    return new StringBuilder(hebrew).reverse().toString();
  }

  private static ReportModel model(String question, String answer) {
    return SampleReports.model(
        question, FormatLabel.LONG_FORM, answer,
        List.of(
            SampleReports.snippet(1, "The tower (a history)", "", "The tower is 330 metres tall.")));
  }

  @Test
  void a_question_from_right_to_left_that_quotes_english_reads_in_order() throws IOException {
    String answer = "<cite id=S_1>The tower is tall.</cite>";
    Line title = line(model(QUESTION, answer), "Eiffel");
    // brackets look the other way around where the line runs the other way
    assertEquals(
        "?" + turned("לפי הספר") + " (Eiffel Tower) " + turned("מה גובה המגדל"), title.text());
    // so many words are English that the report is, but not the direction of its question
    String mostlyEnglish = "לפי הספר: How tall is it (in metres) and why?";
    Line other = line(model(mostlyEnglish, answer), "and why");
    assertEquals(
        "?How tall is it (in metres) and why :" + turned("לפי הספר"), other.text());
    assertTrue(title.right() > 520 && other.right() > 520, title + " " + other);
  }

  @Test
  void a_line_that_breaks_inside_english_goes_on_in_order() throws IOException {
    String english = "The tower is 330 metres tall, about the same height as a building of 81"
        + " storeys. Its base is square, measuring 125 metres on each side";
    List<Line> all = lines(model("How tall?", "לפי הספר " + english + " (in 1889). כך כתוב.\n"));
    int first = 0;
    while (!all.get(first).text().contains("The tower is 330 metres tall, about")) {
      first++;
    }
    assertTrue(all.get(first).text().endsWith(turned("לפי הספר")), all.get(first).text());
    assertTrue(all.get(first).text().startsWith("The tower"), all.get(first).text());
    Line second = all.get(first + 1);
    assertTrue(second.text().startsWith("." + turned("כך כתוב")), second.text());
    assertTrue(second.text().endsWith("(in 1889)"), second.text());
    assertEquals(all.get(first).right(), second.right(), 1.5);
  }

  @Test
  void each_paragraph_goes_its_own_way() throws IOException {
    ReportModel model =
        model(QUESTION, "The tower (of iron) is tall.\n\nהמגדל (של ברזל) גבוה.\n\n- שלום olam\n");
    Line english = line(model, "of iron");
    Line hebrew = line(model, turned("של ברזל"));
    assertEquals("The tower (of iron) is tall.", english.text());
    assertEquals("." + turned("גבוה") + " (" + turned("של ברזל") + ") " + turned("המגדל"),
        hebrew.text());
    assertTrue(english.left() < 70 && hebrew.right() > 520, english + " " + hebrew);
    assertTrue(line(model, "olam").text().startsWith("olam " + turned("שלום")));
  }

  @Test
  void what_a_list_quotes_from_both_directions_reads_in_order() throws IOException {
    ReportModel model = model(QUESTION, "<cite id=S_1>The tower is tall.</cite>");
    Line query = line(model, "wind load iron");
    String text = query.text().replaceAll("[\\s\u00A0]*•[\\s\u00A0]*$", "");
    assertTrue(text.endsWith("wind load iron lattice"), text);
    assertEquals(1, text.chars().filter(c -> c == '(').count(), text);
    assertTrue(text.indexOf('(') < text.indexOf(')') && text.startsWith("("), text);
    Line quote = line(model, "330 metres");
    assertTrue(quote.right() > 500, quote.toString());
  }

  @Test
  void arabic_letters_join() throws IOException {
    String shown =
        lines(SampleReports.arabic()).stream().map(Line::text).collect(Collectors.joining());
    // jeem at the end of a word and ba at its beginning
    assertTrue(shown.contains("\uFE9D") || shown.contains("\uFE9E"), shown);
    assertTrue(shown.contains("\uFE91"), shown);
  }
}
