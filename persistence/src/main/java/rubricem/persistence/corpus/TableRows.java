package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rubricem.persistence.corpus.Block.Shape;

/**
 * Writes a table of any format in one shape and cuts it into groups of rows, each under its header,
 * so that a row that is found can be understood. Cells are separated by upright bars; a table with
 * a header has bars at the ends of its lines too, so that its header is known for one. A row that
 * names itself, in a table without a header, is written as a name and its value; a cell over all
 * columns as a line of its own.
 */
final class TableRows {
  /** What a row of a table is. */
  enum Kind {
    HEADER,
    /** Its first cell is the name of the others. */
    NAMED,
    PLAIN
  }

  private final BlockList out;
  private final int wordsMax;
  private final StringBuilder rows = new StringBuilder();
  private String title = "";
  private List<String> header = List.of();
  private boolean nameless;
  private boolean seen;
  private int words;

  TableRows(BlockList out, int wordsMax) {
    this.out = out;
    this.wordsMax = wordsMax;
  }

  void row(List<String> texts, Kind kind) {
    List<String> cells = texts.stream().map(TableRows::oneLine).toList();
    if (cells.stream().allMatch(String::isEmpty)) {
      nameless |= kind == Kind.HEADER && !seen;
      return;
    }
    if (kind == Kind.HEADER && !seen && !isGroup(cells)) {
      head(cells);
      return;
    }
    seen = true;
    String row = written(cells, kind);
    int count = Words.count(row);
    if (words > 0 && words + count > wordsMax) {
      flush();
    }
    rows.append(rows.isEmpty() ? "" : "\n").append(row);
    words += count;
  }

  void end() {
    if (!rows.isEmpty() || !seen && !(title.isEmpty() && header.isEmpty())) {
      flush();
    }
  }

  /** One cell over all columns, above their names, is the title of the table. */
  private void head(List<String> cells) {
    if (cells.size() == 1) {
      title = (title + " " + cells.getFirst()).strip();
    } else {
      header = under(header, cells);
    }
  }

  /** One cell alone, below the names of the columns, is none of them: it names rows. */
  private boolean isGroup(List<String> cells) {
    return cells.size() == 1 && !header.isEmpty();
  }

  /** The text of a cell; what only keeps it open is no text. */
  static String oneLine(String cell) {
    return cell.replaceAll("[\\s\\p{Z}]+", " ").strip();
  }

  /** A second line of a header says more of the columns of the first. */
  private static List<String> under(List<String> above, List<String> cells) {
    List<String> both = new ArrayList<>();
    for (int i = 0; i < Math.max(above.size(), cells.size()); i++) {
      String first = i < above.size() ? above.get(i) : "";
      String second = i < cells.size() ? cells.get(i) : "";
      both.add(first.equals(second) ? first : (first + " " + second).strip());
    }
    return both;
  }

  private String written(List<String> cells, Kind kind) {
    boolean named = kind == Kind.NAMED || nameless && cells.size() == 2;
    if (header.isEmpty() && named && cells.size() > 1 && !cells.getFirst().isEmpty()) {
      String name = cells.getFirst().replaceFirst("\\s*:$", "");
      return name + ": " + String.join("; ", cells.subList(1, cells.size()));
    }
    List<String> said = cells.stream().filter(c -> !c.isEmpty()).toList();
    return header.isEmpty() && said.size() == 1
        ? said.getFirst()
        : barred(cells, !header.isEmpty());
  }

  private static String barred(List<String> cells, boolean ends) {
    if (cells.size() == 1) {
      return cells.getFirst();
    }
    String row = String.join(" | ", cells);
    return ends ? "| " + row + " |" : row;
  }

  private void flush() {
    String names = header.isEmpty() ? "" : barred(header, true);
    out.startOwn();
    out.add(
        Shape.LINES,
        Stream.of(title, names, rows.toString()).filter(part -> !part.isEmpty())
            .collect(Collectors.joining("\n")));
    rows.setLength(0);
    words = 0;
  }
}
