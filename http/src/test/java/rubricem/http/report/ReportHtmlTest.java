package rubricem.http.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.report.MarkdownText;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.scaffold.FormatLabel;

class ReportHtmlTest {
  private static final Parser TABLES =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  private static List<String> targets(String markdown) {
    List<String> found = new ArrayList<>();
    Node document = TABLES.parse(markdown);
    document.accept(new AbstractVisitor() {
      @Override
      public void visit(Link link) {
        found.add(link.getDestination());
        visitChildren(link);
      }
    });
    return found;
  }

  private static List<String> outside(String html) {
    return Jsoup.parse(html).select("a[href]").eachAttr("href").stream()
        .filter(href -> !href.startsWith("#")).toList();
  }

  private static ReportModel odd() {
    String answer = SampleReports.oddSnippets().stream()
        .map(s -> "<cite id=" + s.id() + ">Claim " + s.id() + "</cite>.\n")
        .collect(Collectors.joining());
    return SampleReports.model(
        "Which?", FormatLabel.LONG_FORM, answer, SampleReports.oddSnippets());
  }

  @Test
  void links_lead_to_the_very_address_a_tool_returned() {
    assertEquals(SampleReports.ODD_URLS, targets(ReportMarkdown.render(odd())));
    assertEquals(SampleReports.ODD_URLS, outside(ReportHtml.render(odd())));
  }

  @Test
  void a_link_in_a_table_cell_keeps_its_address_too() {
    String rows = SampleReports.ODD_URLS.stream()
        .map(url -> "| " + MarkdownText.link("a|b [c] *d*", url) + " | x |\n")
        .collect(Collectors.joining());
    assertEquals(SampleReports.ODD_URLS, targets("| a | b |\n|---|---|\n" + rows));
  }

  @Test
  void titles_are_shown_as_they_are() {
    Document page = Jsoup.parse(ReportHtml.render(odd()));
    List<String> titles = SampleReports.oddSnippets().stream()
        .map(s -> s.passage().title()).toList();
    assertEquals(titles, page.select(".title").eachText());
    assertEquals(0, page.select("b, script, img, iframe").size());
  }

  @Test
  void every_number_leads_to_its_reference_and_back() {
    Document page = Jsoup.parse(ReportHtml.render(SampleReports.english()));
    assertTrue(page.select("a.mark").size() >= 8);
    for (Element link : page.select("a[href^=#]")) {
      assertEquals(1, page.select("[id=" + link.attr("href").substring(1) + "]").size(),
          link.attr("href"));
    }
    for (Element reference : page.select(".reference")) {
      assertFalse(reference.select("a.back").isEmpty());
    }
  }

  @Test
  void needs_nothing_from_any_host_and_reads_from_right_to_left_where_it_should() {
    String page = ReportHtml.render(SampleReports.arabic());
    Document document = Jsoup.parse(page);
    assertEquals(0, document.select("link, script, img, [src], style:contains(url)").size());
    assertEquals("rtl", document.select("html").attr("dir"));
    assertEquals("ar", document.select("html").attr("lang"));
    assertEquals("ltr", Jsoup.parse(ReportHtml.render(odd())).select("html").attr("dir"));
  }

  @Test
  void is_well_formed_for_the_pdf_writer() throws Exception {
    String page = ReportHtml.forPdf(SampleReports.english()).replace("<!DOCTYPE html>", "");
    DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  @Test
  void a_mark_that_markdown_would_swallow_is_shown_all_the_same() {
    List<Snippet> one = List.of(SampleReports.snippet(1, "T", "https://a.example/", "x"));
    ReportModel model = SampleReports.model(
        "q", FormatLabel.LONG_FORM, "<cite id=S_1>```info\ncode\n```\n\n~~~ x</cite>\ny", one);
    assertEquals(1, Jsoup.parse(ReportHtml.render(model)).select("a.mark").size());
  }
}
