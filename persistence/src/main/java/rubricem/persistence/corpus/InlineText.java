package rubricem.persistence.corpus;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.jsoup.Jsoup;

/**
 * The words of a stretch of Markdown as a reader of the page sees them: without the marks of code,
 * emphasis, links and lists. So a quotation reads well and is found on the page as it is shown.
 */
final class InlineText extends AbstractVisitor {
  private static final Parser PARSER = Parser.builder().build();

  private final StringBuilder out = new StringBuilder();

  private InlineText() {}

  static String of(String markdown) {
    Node document = PARSER.parse(markdown);
    InlineText text = new InlineText();
    document.accept(text);
    return text.out.toString().strip();
  }

  @Override
  public void visit(Text text) {
    out.append(text.getLiteral());
  }

  @Override
  public void visit(Code code) {
    out.append(code.getLiteral());
  }

  @Override
  public void visit(SoftLineBreak line) {
    out.append('\n');
  }

  @Override
  public void visit(HardLineBreak line) {
    out.append('\n');
  }

  /** A tag says nothing by itself; the words between tags are text of their own. */
  @Override
  public void visit(HtmlInline html) {
    if (html.getLiteral().startsWith("<br")) {
      out.append('\n');
    }
  }

  @Override
  public void visit(HtmlBlock html) {
    line(Jsoup.parse(html.getLiteral()).text());
  }

  @Override
  public void visit(IndentedCodeBlock code) {
    line(code.getLiteral());
  }

  @Override
  public void visit(FencedCodeBlock code) {
    line(code.getLiteral());
  }

  @Override
  public void visit(Image image) {
    visitChildren(image);
  }

  @Override
  public void visit(Paragraph paragraph) {
    newLine();
    visitChildren(paragraph);
  }

  @Override
  public void visit(ListItem item) {
    newLine();
    visitChildren(item);
  }

  private void line(String text) {
    newLine();
    out.append(text);
  }

  private void newLine() {
    if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
      out.append('\n');
    }
  }
}
