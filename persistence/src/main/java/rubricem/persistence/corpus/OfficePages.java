package rubricem.persistence.corpus;

import java.util.List;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;

/**
 * Reads slides with their notes, sheets and flowing text. Which slide or sheet a passage stands
 * on is kept, so that a reader can find it.
 */
final class OfficePages {
  /** What an empty notes page says by itself. */
  private static final Pattern LAYOUT =
      Pattern.compile("Click to edit Master .*|(Second|Third|Fourth|Fifth) level");

  private final BlockList out;
  private final HtmlBlocks walk;
  private int slides;

  OfficePages(BlockList out, int tableWords) {
    this.out = out;
    this.walk = new HtmlBlocks(out, tableWords);
  }

  void read(Element root) {
    Element body = root.selectFirst("body body");
    root.select("head, title, script, style, .slide-master-content").remove();
    pages(body == null ? root : body);
  }

  private void pages(Element parent) {
    for (Element child : parent.children()) {
      switch (child.className()) {
        case "slideShow" -> pages(child);
        case "slide-content" -> {
          out.place("slide " + ++slides);
          walk.read(child);
        }
        case "slide-notes" -> {
          out.place("slide " + slides + ", notes");
          child.select("p").removeIf(p -> LAYOUT.matcher(p.text()).matches());
          walk.read(child);
        }
        case "sheet", "page" -> sheet(child);
        default -> node(child);
      }
    }
  }

  private void sheet(Element page) {
    Element name = page.selectFirst("> h1");
    out.place(name == null ? "" : "sheet " + name.text());
    if (name != null) {
      name.remove();
    }
    for (Element table : page.select("> table")) {
      firstRowIsHeader(table);
    }
    walk.read(page);
  }

  /**
   * A sheet marks no header; its first row is taken for one, which at worst repeats a row. Where
   * that is a single cell it is a title, and the row below it holds the names of the columns.
   */
  static void firstRowIsHeader(Element table) {
    List<Element> rows = table.select("tr");
    boolean titled = rows.size() > 1 && filled(rows.get(0)) == 1 && filled(rows.get(1)) > 1;
    if (titled) {
      rows.getFirst().select("> td").stream().filter(cell -> !cell.hasText())
          .forEach(Element::remove);
    }
    rows.stream().limit(titled ? 2 : 1)
        .forEach(row -> row.select("> td").forEach(cell -> cell.tagName("th")));
  }

  private static long filled(Element row) {
    return row.select("> td").stream().filter(Element::hasText).count();
  }

  private void node(Element child) {
    Element alone = new Element("div");
    Element copy = child.clone();
    alone.appendChild(copy);
    if (copy.normalName().equals("table")) {
      firstRowIsHeader(copy);
    } else {
      copy.select("table").forEach(OfficePages::firstRowIsHeader);
    }
    walk.read(alone);
  }
}
