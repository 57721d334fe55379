package rubricem.actors.extractive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import rubricem.protocol.evidence.RowBars;

/**
 * The tables in the text of a passage: which line is the header of which rows. A row says little
 * without its header, and a header states nothing by itself. Rows are lines with as many cells, cut
 * by a tab or an upright bar; a header is the first of them, where it holds no number and rows do,
 * or where bars stand at its ends, as Markdown has them. Pure.
 */
final class TableLines {
  /** A bar between blanks; any other may be a sign within a cell. */
  private static final Pattern BAR = Pattern.compile("(?<=\\s)\\|(?=\\s)");

  private final Map<String, String> headers = new HashMap<>();
  private final Map<String, String> lines = new HashMap<>();

  private TableLines() {}

  static TableLines of(String passage) {
    TableLines tables = new TableLines();
    String[] lines = passage.split("\\R");
    for (int i = 0; i < lines.length; ) {
      int to = i + 1;
      while (to < lines.length && goesOn(lines, i, to)) {
        to++;
      }
      tables.table(lines, i, to);
      i = to;
    }
    return tables;
  }

  /** A single line among rows with bars at their ends is of the table too, as a name of some. */
  private static boolean goesOn(String[] lines, int from, int at) {
    int cells = cells(lines[from]).size();
    boolean between = barred(lines[from]) && !lines[at].isBlank()
        && at + 1 < lines.length && barred(lines[at + 1]);
    return cells > 1
        && (cells(lines[at]).size() == cells
            || barred(lines[from]) && barred(lines[at])
            || between && cells(lines[at + 1]).size() == cells);
  }

  static boolean isRow(String line) {
    return cells(line).size() > 1;
  }

  /** A text, or a row quoted alone, without the bars between cells: its meaning is not theirs. */
  static String withoutBars(String text) {
    return text.indexOf('\n') < 0 ? RowBars.blankedRow(text) : RowBars.blanked(text);
  }

  /** The cells of a row as it was quoted: at its ends it may have lost some that are empty. */
  List<String> cellsOf(String sentence) {
    return cells(lines.getOrDefault(sentence, sentence));
  }

  /** The cells of a line; one where it is no row. */
  static List<String> cells(String line) {
    String bare = line.strip();
    if (bare.indexOf('\t') >= 0) {
      return stripped(bare.split("\t", -1));
    }
    boolean barred = bare.startsWith("|");
    String inner = barred ? bare.replaceAll("^\\||\\|$", "") : bare;
    if (inner.contains(" | ")) {
      return stripped(BAR.split(inner, -1));
    }
    return barred ? stripped(inner.split("\\|", -1)) : List.of(bare);
  }

  private static List<String> stripped(String[] cells) {
    return Stream.of(cells).map(String::strip).toList();
  }

  private void table(String[] lines, int from, int to) {
    boolean headed = to - from > 1
        && (barred(lines[from]) || !hasNumber(lines[from]) && anyNumber(lines, from + 1, to));
    for (int i = from + 1; headed && i < to; i++) {
      if (isRow(lines[i])) {
        headers.put(key(lines[i]), lines[from]);
        this.lines.put(key(lines[i]), lines[i]);
      }
    }
    if (headed) {
      headers.put(key(lines[from]), "");
    }
  }

  private static boolean barred(String line) {
    return line.strip().startsWith("|");
  }

  private static boolean anyNumber(String[] lines, int from, int to) {
    for (int i = from; i < to; i++) {
      if (hasNumber(lines[i])) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasNumber(String line) {
    return line.codePoints().anyMatch(Character::isDigit);
  }

  private static String key(String line) {
    return Sentences.bare(line);
  }

  /** The header above a row; empty for anything else. */
  Optional<String> header(String sentence) {
    return Optional.ofNullable(headers.get(sentence)).filter(header -> !header.isEmpty());
  }

  boolean isHeader(String sentence) {
    return "".equals(headers.get(sentence));
  }
}
