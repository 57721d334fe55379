package rubricem.http.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionURI;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationLink;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import rubricem.protocol.report.Citation;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.scaffold.FormatLabel;

class ReportPdfTest {
  private static final ReportPdf PDF = new ReportPdf(List.of());

  private static String text(byte[] pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf)) {
      return new PDFTextStripper().getText(document);
    }
  }

  private static Set<String> addresses(byte[] pdf) throws IOException {
    Set<String> found = new LinkedHashSet<>();
    try (PDDocument document = Loader.loadPDF(pdf)) {
      for (PDPage page : document.getPages()) {
        for (PDAnnotation annotation : page.getAnnotations()) {
          if (annotation instanceof PDAnnotationLink link
              && link.getAction() instanceof PDActionURI uri) {
            found.add(uri.getURI());
          }
        }
      }
    }
    return found;
  }

  private static List<Integer> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    Matcher matcher = Pattern.compile("\\[(\\d+)\\]").matcher(text);
    while (matcher.find()) {
      numbers.add(Integer.parseInt(matcher.group(1)));
    }
    return numbers;
  }

  @Test
  void numbers_are_the_same_in_all_four_forms() throws IOException {
    ReportModel model = SampleReports.english();
    List<Integer> json = model.citations().stream().map(Citation::number).toList();
    List<Integer> references = model.references().stream().map(r -> r.number()).toList();
    assertEquals(json, numbers(model.answer()));
    List<Integer> all = new ArrayList<>(json);
    all.addAll(references);
    assertEquals(all, numbers(Html.withoutTags(
        ReportHtml.render(model).replaceAll("(?s)<style>.*?</style>", ""))));
    assertEquals(all, numbers(text(PDF.render(model))));
    String list = ReportMarkdown.render(model).split("## References")[1].split("## Not")[0];
    assertEquals(references, Pattern.compile("(?m)^(\\d+)\\. ").matcher(list).results()
        .map(m -> Integer.parseInt(m.group(1))).toList());
  }

  @Test
  void links_lead_to_the_very_address_a_tool_returned() throws IOException {
    String answer = SampleReports.oddSnippets().stream()
        .map(s -> "<cite id=" + s.id() + ">Claim " + s.id() + "</cite>.\n")
        .collect(Collectors.joining());
    ReportModel model = SampleReports.model(
        "Which?", FormatLabel.LONG_FORM, answer, SampleReports.oddSnippets());
    assertEquals(new LinkedHashSet<>(SampleReports.ODD_URLS), addresses(PDF.render(model)));
  }

  @Test
  void shows_scripts_far_from_latin_and_says_what_it_cannot() throws IOException {
    String arabic = text(PDF.render(SampleReports.arabic()));
    assertTrue(arabic.contains("1889") && arabic.contains("height_m"), arabic);
    String chinese = text(PDF.render(SampleReports.chinese()));
    assertTrue(chinese.contains("Ελληνικά, Русский"), chinese);
    assertTrue(chinese.contains("are in none of the installed fonts"), chinese);
    assertFalse(text(PDF.render(SampleReports.english())).contains("installed fonts"));
  }

  @Test
  void R12_says_what_it_cannot_show_in_the_language_of_the_report() throws IOException {
    ReportModel model =
        SampleReports.model(
            "Wie heißt der Turm auf Chinesisch?", FormatLabel.SHORT_FORM,
            "<cite id=S_1>埃菲尔铁塔</cite>",
            List.of(SampleReports.snippet(1, "Turm", "https://a.example/", "埃菲尔铁塔")));
    String german = text(PDF.render(model)).replaceAll("\\s+", " ");
    assertTrue(german.contains("5 Zeichen dieses Berichts fehlen"), german);
    assertTrue(german.contains("stehen als □ da"), german);
  }

  @Test
  void takes_characters_without_shape() {
    ReportModel model = SampleReports.model("a\u200Bb\u200Cc\u2060d\u00AD?", FormatLabel.SHORT_FORM,
        "می\u200Cخواهم <cite id=S_1>x\u200Dy 🙂 \uFEFF</cite>",
        List.of(SampleReports.snippet(1, "T\u200B", "https://a.example/", "x\u0000 y\uFFFE z")));
    assertTrue(PDF.render(model).length > 1_000);
  }
}
