package rubricem.http.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.report.Citation;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.scaffold.FormatLabel;

/** Whatever a policy writes: what another reader of Markdown makes of our report stays harmless. */
class SafeReportProperties {
  private static final Parser PARSER =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();
  private static final Pattern BARE =
      Pattern.compile("(?i)(?<![a-z])((https?|ftp)://[a-z0-9]|www\\.[a-z])");
  private static final List<Snippet> SNIPPETS =
      List.of(
          SampleReports.snippet(1, "One", "https://real.example/1", "One is one."),
          SampleReports.snippet(2, "Two", "https://real.example/(2)", "Two | is two."));
  private static final String[] PIECES = {
    "<cite id=\"S_1\">", "<cite id=S_2>", "</cite>", "words", " ", "\n", "\n\n", "[", "]", "(", ")",
    "](https://real.example/1)", "](https://no.example)", "`", "``", "```", "\n```\n", "\n  ```\n",
    "|", "\n| a | b |\n|---|---|\n", "<", ">", "!", "\\", "\n# ", "\n- ", "\n> ", "\n1. ",
    "https://real.example/1", "https://no.example/x", "<script>", "<a href=\"https://no.example\">",
    "[x]", "\n[x]: https://no.example\n", "**", "_", "*", "&lt;", "\n~~~\n", "\t", "    ",
    "<https://no.example>", "<!--", "-->", "<div>", "\n===\n", "\n---\n", "][x]", "x", "\n[x]:\n"
  };

  /** What joins when something between goes, and what glues to something that comes. */
  private static final String[] SEAMS = {
    "<", "[", "](https://no.example)", "<b>", "script>", "/script>", "!--", "[1]", "【1】", " ", "\\",
    "`", "``", "```", "`<script>`", "``<script>``", "https://no.example/x", "https://real.example/1",
    "|", "\n", "\n|-|-|\n", "1", "见", "(", ")", "!", "<cite id=S_1>c</cite>", "~~~", "`a|b`", "www.no",
    "\n[x]: https://no.example\n"
  };

  @Provide
  Arbitrary<String> seams() {
    return Arbitraries.of(SEAMS).list().ofMaxSize(7).map(list -> String.join("", list));
  }

  @Provide
  Arbitrary<String> answers() {
    return Arbitraries.of(PIECES).list().ofMaxSize(24).map(list -> String.join("", list));
  }

  private static ReportModel model(String answer) {
    return SampleReports.model("q", FormatLabel.LONG_FORM, answer, SNIPPETS);
  }

  @Property(tries = 6000)
  void markdown_links_only_to_what_was_retrieved(@ForAll("answers") String answer) {
    assertEquals(List.of(), foreign(answer), () -> model(answer).answer());
  }

  @Property(tries = 6000)
  void nothing_comes_to_life_where_pieces_meet(@ForAll("seams") String answer) {
    assertEquals(List.of(), foreign(answer), () -> model(answer).answer());
  }

  /** Pieces that used to meet: code beside code, a tag around what goes, a slash before code. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "``<script>``https://no.example/x", "https://no.example/x```<script>`",
        "https://no.example/x``<script>``", "`<a>`<b>``<script>``", "\\`https://no.example/x`<script>`",
        "\\https://no.example/x `<script>`", "<[script](https://no.example)>", "<<b>script>",
        "< [1]/script>", "< 【1】!-- x -->", "<![x](https://no.example)script>",
        "a | b\n-|-\n`a|b` `<script>` | c", "> a | b\n> -|-\n> `a|b` `<script>` | c",
        "a | b\n[x]: https://no.example\n-|-\n`a|b` `<script>` | c",
        "见https://no.example/x", "1https://no.example/x", "_www.no.example_", "~~~`<script>`",
        "<!--[x](https://no.example)--><script>", "[`](https://no.example)`<script>`",
      })
  void pieces_that_meet_stay_text(String answer) {
    assertEquals(List.of(), foreign(answer), () -> model(answer).answer());
  }

  /** What another reader of Markdown, one that links bare addresses too, would let out. */
  private static List<String> foreign(String answer) {
    List<String> bad = new ArrayList<>();
    Set<String> allowed = Set.of("https://real.example/1", "https://real.example/(2)");
    PARSER.parse(ReportMarkdown.render(model(answer))).accept(new AbstractVisitor() {
      @Override
      public void visit(Link link) {
        if (!allowed.contains(link.getDestination())) {
          bad.add(link.getDestination());
        }
      }

      @Override
      public void visit(Text text) {
        if (BARE.matcher(text.getLiteral()).find()) {
          bad.add("bare " + text.getLiteral());
        }
      }

      @Override
      public void visit(Image image) {
        bad.add("image " + image.getDestination());
      }

      @Override
      public void visit(HtmlBlock html) {
        bad.add("html " + html.getLiteral());
      }

      @Override
      public void visit(HtmlInline html) {
        bad.add("html " + html.getLiteral());
      }
    });
    return bad;
  }

  @Property(tries = 3000)
  void the_page_shows_every_number_and_nothing_foreign(@ForAll("answers") String answer) {
    ReportModel model = model(answer);
    Document page = Jsoup.parse(ReportHtml.render(model));
    assertEquals(
        model.citations().stream().map(c -> "[" + c.number() + "]").toList(),
        page.select("a.mark").eachText());
    assertEquals(0, page.select("script, img, div[onclick], iframe").size());
    for (String href : page.select("a[href]").eachAttr("href")) {
      assertTrue(href.startsWith("#") || href.startsWith("https://real.example/"), href);
    }
    assertEquals(
        model.citations().stream().map(Citation::snippetId).distinct().count(),
        page.select(".reference").size());
  }
}
