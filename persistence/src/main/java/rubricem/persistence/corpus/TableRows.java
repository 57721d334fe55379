package rubricem.persistence.corpus;

import rubricem.persistence.corpus.Block.Shape;

/**
 * Cuts a table into groups of rows and repeats the header above each, so that a row that is found
 * can be understood. Cells are separated by a tab, rows by a line end.
 */
final class TableRows {
  private final BlockList out;
  private final int wordsMax;
  private final StringBuilder rows = new StringBuilder();
  private String header = "";
  private boolean seen;
  private int words;

  TableRows(BlockList out, int wordsMax) {
    this.out = out;
    this.wordsMax = wordsMax;
  }

  void row(String cells, boolean isHeader) {
    String row = cells.replace('\n', ' ');
    if (row.isBlank()) {
      return;
    }
    if (isHeader && !seen) {
      header = header.isEmpty() ? row : header + "\n" + row;
      return;
    }
    seen = true;
    int count = Words.count(row);
    if (words > 0 && words + count > wordsMax) {
      flush();
    }
    rows.append(rows.isEmpty() ? "" : "\n").append(row);
    words += count;
  }

  void end() {
    if (!rows.isEmpty() || !seen) {
      flush();
    }
  }

  private void flush() {
    String group = header.isEmpty() || rows.isEmpty() ? header + rows : header + "\n" + rows;
    out.startOwn();
    out.add(Shape.LINES, group);
    rows.setLength(0);
    words = 0;
  }
}
