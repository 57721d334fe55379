package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.Evaluator;
import org.jsoup.select.QueryParser;
import org.jspecify.annotations.Nullable;
import rubricem.persistence.corpus.Block.Shape;

/**
 * Reads the structure of a page: headings become the section path, each entry of a definition
 * list a passage under its term, tables groups of rows under their header. The same walk serves
 * web pages and the XHTML that office formats are turned into. Not reusable and not thread safe.
 */
final class HtmlBlocks {
  /** The title of a table is a heading of its rows, below every heading of the page. */
  private static final int CAPTION_LEVEL = 9;

  /** A longer definition is a paragraph under its term. */
  private static final int SHORT_WORDS_MAX = 20;

  private static final Set<String> BLOCKS =
      Set.of(
          "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
          "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1",
          "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "legend", "li", "main", "menu",
          "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
          "tr", "ul");

  private static final Set<String> TERMS = Set.of("dt", "dd");
  private static final Set<String> ROW_GROUPS = Set.of("thead", "tbody", "tfoot");

  private static final Evaluator ARRANGED =
      QueryParser.parse("h1, h2, h3, h4, table, dl, pre");

  private static final Set<String> ASIDES =
      Set.of("note", "tip", "warning", "caution", "important", "admonition", "callout", "example");

  private final BlockList out;
  private final int tableWords;
  private final boolean anchors;
  private final StringBuilder inline = new StringBuilder();
  private int terms;
  private int asides;

  HtmlBlocks(BlockList out, int tableWords) {
    this(out, tableWords, false);
  }

  private HtmlBlocks(BlockList out, int tableWords, boolean anchors) {
    this.out = out;
    this.tableWords = tableWords;
    this.anchors = anchors;
  }

  /** For a web page, where a link can lead to whatever has an id. */
  static HtmlBlocks ofPage(BlockList out, int tableWords) {
    return new HtmlBlocks(out, tableWords, true);
  }

  void read(Element root) {
    children(root);
    flush();
  }

  /** The title of a page: what it calls itself, else its first heading, else nothing. */
  static String title(Document page) {
    String title = page.title().strip();
    if (title.isEmpty()) {
      Element heading = page.selectFirst("h1, h2");
      title = heading == null ? "" : heading.text().strip();
    }
    return new CleanText().line(title);
  }

  private void children(Element parent) {
    for (Node node : parent.childNodes()) {
      if (node instanceof TextNode text) {
        inline.append(text.getWholeText());
      } else if (node instanceof Element element) {
        element(element);
      }
    }
  }

  private void element(Element element) {
    String tag = element.normalName();
    switch (tag) {
      case "h1", "h2", "h3", "h4", "h5", "h6" -> {
        flush();
        if (asides == 0) {
          out.heading(tag.charAt(1) - '0', element.text(), anchors ? Anchor.of(element) : "");
        } else {
          out.add(Shape.PROSE, element.text());
        }
      }
      case "br" -> inline.append('\n');
      case "hr" -> flush();
      case "pre" -> {
        flush();
        out.add(Shape.LINES, element.wholeText());
      }
      case "table" -> {
        flush();
        table(element);
      }
      case "dl" -> {
        flush();
        definitions(element);
      }
      case "div" -> {
        if (element.hasClass("table")) {
          titledTable(element);
        } else {
          block(element, tag);
        }
      }
      case "img" -> inline.append(' ').append(element.attr("alt")).append(' ');
      default -> block(element, tag);
    }
  }

  private void block(Element element, String tag) {
    boolean block = BLOCKS.contains(tag);
    int aside = isAside(element, tag) ? 1 : 0;
    if (block) {
      flush();
    }
    asides += aside;
    children(element);
    if (block) {
      flush();
    }
    asides -= aside;
  }

  /** The title of a table stands above its rows, as DocBook and its kin write it. */
  private void titledTable(Element element) {
    flush();
    Element title =
        element.children().stream().filter(c -> c.hasClass("title")).findFirst().orElse(null);
    if (title != null) {
      out.heading(CAPTION_LEVEL, title.text(), anchors ? Anchor.ofTable(element) : "");
      title.remove();
    }
    children(element);
    flush();
    out.close(CAPTION_LEVEL);
  }

  /** The heading of a note is no section: what follows the note does not belong to it. */
  private static boolean isAside(Element element, String tag) {
    return switch (tag) {
      case "aside", "blockquote", "figure", "li" -> true;
      case "div", "section" -> element.classNames().stream().anyMatch(ASIDES::contains);
      default -> false;
    };
  }

  private void definitions(Element list) {
    int level = BlockList.TERM_LEVEL + terms++;
    List<Element> pending = new ArrayList<>();
    for (Element child : parts(list, TERMS, Set.of("div"))) {
      if (child.normalName().equals("dt")) {
        pending.add(child);
        continue;
      }
      if (pending.size() == 1 && isShort(child)) {
        line(pending.getFirst(), child, level);
        pending.clear();
        continue;
      }
      if (!pending.isEmpty()) {
        term(level, pending);
      }
      asides++;
      children(child);
      flush();
      asides--;
    }
    if (!pending.isEmpty()) {
      term(level, pending);
    }
    out.close(level);
    terms--;
  }

  /** A value or a few words: it says nothing without its term, so both are one line. */
  private static boolean isShort(Element definition) {
    Element next = definition.nextElementSibling();
    return (next == null || !next.normalName().equals("dd"))
        && definition.children().stream().noneMatch(c -> BLOCKS.contains(c.normalName()))
        && definition.hasText()
        && Words.count(definition.text()) <= SHORT_WORDS_MAX;
  }

  private void line(Element term, Element definition, int level) {
    out.close(level);
    String named = term.text().strip().replaceFirst("\\s*:$", "");
    String line = named.isEmpty() ? definition.text() : named + ": " + definition.text();
    out.add(Shape.PROSE, line, anchors ? Anchor.ofTerm(term) : "");
  }

  private void term(int level, List<Element> pending) {
    String term = String.join(", ", pending.stream().map(Element::text).toList());
    String anchor = anchors ? Anchor.ofTerm(pending.getFirst()) : "";
    pending.clear();
    out.close(level);
    out.heading(level, term, anchor);
  }

  private void table(Element table) {
    Element caption =
        parts(table, Set.of("caption"), Set.of()).stream().findFirst().orElse(null);
    if (caption != null) {
      out.heading(CAPTION_LEVEL, caption.text(), anchors ? Anchor.ofTable(table) : "");
    }
    rows(parts(table, Set.of("tr"), ROW_GROUPS));
    if (caption != null) {
      out.close(CAPTION_LEVEL);
    }
  }

  /**
   * The children of these names and those in a box among the children. No selector does: it would
   * look through everything inside, again at each level of nesting.
   */
  private static List<Element> parts(Element parent, Set<String> names, Set<String> boxes) {
    List<Element> parts = new ArrayList<>();
    for (Element child : parent.children()) {
      if (names.contains(child.normalName())) {
        parts.add(child);
      } else if (boxes.contains(child.normalName())) {
        parts.addAll(parts(child, names, Set.of()));
      }
    }
    return parts;
  }

  private void rows(List<Element> rows) {
    if (isLayout(rows)) {
      for (Element row : rows) {
        children(row);
        flush();
      }
      return;
    }
    TableRows grouped = new TableRows(out, tableWords);
    TableGrid grid = new TableGrid();
    @Nullable Element group = null;
    for (Element row : rows) {
      if (row.parent() != group) {
        grid.group();
        group = row.parent();
      }
      grouped.row(grid.row(row), TableGrid.kind(row));
    }
    grouped.end();
  }

  /**
   * A table that only arranges other blocks on a page is read cell by cell. The first of them tells
   * it, so that what is inside a table is not looked at from outside it too.
   */
  private static boolean isLayout(List<Element> rows) {
    if (rows.isEmpty()) {
      return true;
    }
    for (Element row : rows) {
      if (row.selectFirst(ARRANGED) != null) {
        return true;
      }
    }
    return false;
  }

  private void flush() {
    if (!inline.isEmpty()) {
      String text = inline.toString();
      inline.setLength(0);
      out.add(Shape.PROSE, text);
    }
  }
}
