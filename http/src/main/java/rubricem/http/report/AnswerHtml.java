package rubricem.http.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import rubricem.protocol.report.ClaimMarks;
import rubricem.protocol.report.ReportModel;

/**
 * The answer of a report as well-formed HTML. A second wall behind the safe Markdown of the model:
 * raw HTML is escaped, images go, links lead only where the model allows. Every mark of a claim
 * becomes its numbers, each a link to its reference; where Markdown would swallow a mark, the
 * answer is shown as plain text instead, so that no number is ever missing.
 */
final class AnswerHtml {
  private static final List<TablesExtension> EXTENSIONS = List.of(extension());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true).sanitizeUrls(false).build();

  private final ReportModel model;
  private final List<String> headings = new ArrayList<>();
  private final Map<Integer, Integer> used = new HashMap<>();

  AnswerHtml(ReportModel model) {
    this.model = model;
  }

  private static TablesExtension extension() {
    return (TablesExtension) TablesExtension.create();
  }

  /** The titles of the answer's second-level headings, whose ids are {@code part-1}, … */
  List<String> headings() {
    return headings;
  }

  String render() {
    Node document = PARSER.parse(model.body());
    document.accept(new Walls(model.allowedUrls()));
    String html = RENDERER.render(document);
    if (!ClaimMarks.in(html).equals(ClaimMarks.in(model.body()))) {
      html = "<div class=\"plain\">" + Html.escapeMarked(model.body()) + "</div>\n";
    }
    return numbered(anchored(html));
  }

  /** Gives the answer's headings ids. */
  private String anchored(String html) {
    StringBuilder out = new StringBuilder(html.length() + 64);
    int at = 0;
    for (int open = html.indexOf("<h2>"); open >= 0; open = html.indexOf("<h2>", at)) {
      int close = html.indexOf("</h2>", open);
      String title = ClaimMarks.replace(html.substring(open + 4, close), claim -> "");
      headings.add(Html.withoutTags(title).strip());
      out.append(html, at, open).append("<h2 id=\"part-").append(headings.size()).append("\">");
      at = open + 4;
    }
    return out.append(html, at, html.length()).toString();
  }

  private String numbered(String html) {
    StringBuilder out = new StringBuilder(html.length() + 256);
    int at = 0;
    for (int open = html.indexOf(ClaimMarks.OPEN); open >= 0;
        open = html.indexOf(ClaimMarks.OPEN, at)) {
      int close = html.indexOf(ClaimMarks.CLOSE, open);
      out.append(html, at, open);
      int claim = Integer.parseInt(html.substring(open + 1, close));
      out.append("<span class=\"marks\">&#8288;");
      model.marks().get(claim).forEach(number -> mark(out, number));
      out.append("</span>");
      at = close + 1;
    }
    return out.append(html, at, html.length()).toString();
  }

  private void mark(StringBuilder out, int number) {
    int use = used.merge(number, 1, Integer::sum);
    out.append("<a class=\"mark\" id=\"use-").append(number).append('-').append(use)
        .append("\" href=\"#ref-").append(number).append("\">[").append(number).append("]</a>");
  }

  /** How often each reference is used, by its number; complete once the answer is rendered. */
  Map<Integer, Integer> used() {
    return used;
  }

  /** Takes out of the parsed answer what a report may not hold. */
  private static final class Walls extends AbstractVisitor {
    private final Set<String> allowed;

    Walls(Set<String> allowed) {
      this.allowed = allowed;
    }

    @Override
    public void visit(Link link) {
      visitChildren(link);
      if (!allowed.contains(link.getDestination())) {
        unwrap(link);
      } else {
        link.setTitle(null);
      }
    }

    @Override
    public void visit(Image image) {
      visitChildren(image);
      unwrap(image);
    }

    @Override
    public void visit(Heading heading) {
      visitChildren(heading);
      heading.setLevel(Math.max(2, heading.getLevel()));
    }

    @Override
    public void visit(FencedCodeBlock code) {
      String marks = code.getInfo() == null ? "" : Html.marksOf(code.getInfo());
      if (!marks.isEmpty()) {
        code.insertAfter(new Text(marks));
      }
      code.setInfo("");
    }

    private static void unwrap(Node node) {
      Node child = node.getFirstChild();
      while (child != null) {
        Node next = child.getNext();
        node.insertBefore(child);
        child = next;
      }
      node.unlink();
    }
  }
}
