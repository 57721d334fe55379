package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jsoup.nodes.Element;
import rubricem.persistence.corpus.TableRows.Kind;

/**
 * Gives each row of an HTML table the cells that reach into it: a cell over several rows or columns
 * stands in each of them. What is longer than a name or a value stands once. Not reusable.
 */
final class TableGrid {
  /** Further right nothing is spread: a page may ask for any number of columns. */
  private static final int COLUMNS_MAX = 100;

  /** What is repeated is a name or a value. */
  private static final int REPEATED_CHARS_MAX = 200;

  private final String[] reaching = new String[COLUMNS_MAX];
  private final int[] rowsLeft = new int[COLUMNS_MAX];

  /** The cells of the next row from left to right. */
  List<String> row(Element row) {
    List<Element> own = row.children();
    List<Element> said =
        own.stream().filter(c -> !TableRows.oneLine(c.text()).isEmpty()).toList();
    boolean one = said.size() == 1 && (own.size() == 1 || kind(row) != Kind.HEADER);
    if (one && span(said.getFirst(), "colspan") > 1 && !anyReaching()) {
      return List.of(said.getFirst().text());
    }
    List<String> cells = new ArrayList<>();
    for (Element cell : own) {
      reachInto(cells);
      String text = cell.text();
      String again = text.length() <= REPEATED_CHARS_MAX ? text : "";
      int columns = span(cell, "colspan");
      int below = rowsOf(cell) - 1;
      for (int i = 0; i < columns && (i == 0 || cells.size() < COLUMNS_MAX); i++) {
        if (cells.size() < COLUMNS_MAX && below > 0) {
          reaching[cells.size()] = again;
          rowsLeft[cells.size()] = below;
        }
        cells.add(i == 0 ? text : again);
      }
    }
    reachInto(cells);
    return cells;
  }

  /** A group of rows ends what reaches down in it. */
  void group() {
    Arrays.fill(rowsLeft, 0);
  }

  /** A row is a header where it stands among headers or has nothing else. */
  static Kind kind(Element row) {
    Element parent = row.parent();
    List<Element> cells = row.children();
    boolean all = cells.stream().allMatch(c -> c.normalName().equals("th"));
    if (all || parent != null && parent.normalName().equals("thead")) {
      return Kind.HEADER;
    }
    long heads = cells.stream().filter(c -> c.normalName().equals("th")).count();
    return heads == 1 && cells.getFirst().normalName().equals("th") ? Kind.NAMED : Kind.PLAIN;
  }

  private boolean anyReaching() {
    return Arrays.stream(rowsLeft).anyMatch(left -> left > 0);
  }

  private void reachInto(List<String> cells) {
    while (cells.size() < COLUMNS_MAX && rowsLeft[cells.size()] > 0) {
      rowsLeft[cells.size()]--;
      cells.add(reaching[cells.size()]);
    }
  }

  /** No number reaches to the end of the group. */
  private static int rowsOf(Element cell) {
    return cell.attr("rowspan").strip().equals("0") ? Integer.MAX_VALUE : span(cell, "rowspan");
  }

  private static int span(Element cell, String name) {
    String value = cell.attr(name).strip();
    return value.matches("[1-9]\\d{0,4}") ? Integer.parseInt(value) : 1;
  }
}
