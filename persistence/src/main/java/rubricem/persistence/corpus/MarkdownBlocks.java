package rubricem.persistence.corpus;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import rubricem.persistence.corpus.Block.Shape;

/**
 * Reads Markdown by its headings, lists, tables and code fences. Its text is what a reader of the
 * page sees, see {@link InlineText}; comments, scripts, styles and hidden elements are left out,
 * which nobody sees.
 */
final class MarkdownBlocks {
  private static final Pattern HEADING = Pattern.compile("^ {0,3}(#{1,6})\\s+(.*?)\\s*#*\\s*$");
  private static final Pattern UNDERLINE = Pattern.compile("^ {0,3}(=+|-+)\\s*$");
  private static final Pattern FENCE = Pattern.compile("^ {0,3}(```+|~~~+).*$");
  private static final Pattern ITEM = Pattern.compile("^\\s*([-*+]|\\d{1,9}[.)])\\s+.*$");
  private static final Pattern RULER = Pattern.compile("^ {0,3}([-*_])\\s*(\\1\\s*){2,}$");
  private static final Pattern TABLE_RULE = Pattern.compile("^[\\s|:-]*-[\\s|:-]*$");
  private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");
  private static final Pattern ENDS = Pattern.compile("^\\||(?<!\\\\)\\|$");
  private static final Pattern COMMENT = Pattern.compile("<!--.*?(-->|\\z)", Pattern.DOTALL);
  private static final Pattern FRONT =
      Pattern.compile("\\A---\\s*\\n(.*?)\\n(---|\\.\\.\\.)\\s*(\\n|\\z)", Pattern.DOTALL);
  private static final Pattern FRONT_TITLE =
      Pattern.compile("^title:\\s*[\"']?(.*?)[\"']?\\s*$", Pattern.MULTILINE);

  private final BlockList out;
  private final int tableWords;
  private final StringBuilder paragraph = new StringBuilder();
  private String title = "";
  private boolean titleIsHeading;
  private int hidden;

  MarkdownBlocks(BlockList out, int tableWords) {
    this.out = out;
    this.tableWords = tableWords;
  }

  /** Reads all of it and returns its title: from its front matter or its first heading. */
  String read(String source) {
    String text = source.replace("\r\n", "\n").replace('\r', '\n');
    Matcher front = FRONT.matcher(text);
    if (front.find()) {
      Matcher named = FRONT_TITLE.matcher(front.group(1));
      title = named.find() ? named.group(1) : "";
      text = text.substring(front.end());
    }
    MarkdownScripts shown =
        MarkdownScripts.of(COMMENT.matcher(text).replaceAll("").lines().toList());
    hidden = shown.hidden();
    List<String> lines = shown.kept();
    for (int i = 0; i < lines.size(); ) {
      i = block(lines, i);
    }
    flush();
    return title;
  }

  /** How many hidden elements were left out. */
  int hidden() {
    return hidden;
  }

  /** Reads what begins at line {@code i} and returns the line after it. */
  private int block(List<String> lines, int i) {
    String line = lines.get(i);
    Matcher fence = FENCE.matcher(line);
    if (fence.matches()) {
      flush();
      return code(lines, i, fence.group(1));
    }
    Matcher heading = HEADING.matcher(line);
    if (heading.matches()) {
      flush();
      heading(heading.group(1).length(), heading.group(2));
    } else if (line.isBlank() || RULER.matcher(line).matches() && paragraph.isEmpty()) {
      flush();
    } else if (isTable(lines, i)) {
      flush();
      return table(lines, i);
    } else if (isUnderlined(lines, i)) {
      heading(lines.get(i + 1).strip().charAt(0) == '=' ? 1 : 2, line.strip());
      return i + 2;
    } else {
      if (ITEM.matcher(line).matches()) {
        flush();
      }
      paragraph.append(paragraph.isEmpty() ? "" : "\n").append(line);
    }
    return i + 1;
  }

  private void heading(int level, String marked) {
    String text = InlineText.of(marked);
    if (title.isEmpty() || level == 1 && !titleIsHeading && title.isEmpty()) {
      title = text;
      titleIsHeading = true;
    }
    out.heading(level, text);
  }

  private boolean isUnderlined(List<String> lines, int i) {
    return paragraph.isEmpty()
        && i + 1 < lines.size()
        && UNDERLINE.matcher(lines.get(i + 1)).matches()
        && !ITEM.matcher(lines.get(i)).matches();
  }

  private int code(List<String> lines, int start, String fence) {
    StringBuilder code = new StringBuilder();
    int i = start + 1;
    while (i < lines.size() && !lines.get(i).strip().startsWith(fence)) {
      code.append(lines.get(i++)).append('\n');
    }
    out.add(Shape.LINES, code.toString());
    return i + 1;
  }

  private static boolean isTable(List<String> lines, int i) {
    return lines.get(i).contains("|")
        && i + 1 < lines.size()
        && lines.get(i + 1).contains("|")
        && TABLE_RULE.matcher(lines.get(i + 1)).matches();
  }

  private int table(List<String> lines, int start) {
    TableRows rows = new TableRows(out, tableWords);
    rows.row(cells(lines.get(start)), TableRows.Kind.HEADER);
    int i = start + 2;
    while (i < lines.size() && lines.get(i).contains("|")) {
      rows.row(cells(lines.get(i++)), TableRows.Kind.PLAIN);
    }
    rows.end();
    return i;
  }

  private static List<String> cells(String row) {
    String bare = ENDS.matcher(row.strip()).replaceAll("");
    return Stream.of(BAR.split(bare, -1)).map(MarkdownBlocks::cell).toList();
  }

  /** A cell as it is shown; behind a bar nothing is a list or a heading. */
  private static String cell(String marked) {
    return InlineText.of("|" + marked.strip().replace("\\|", "|")).substring(1).strip();
  }

  private void flush() {
    if (!paragraph.isEmpty()) {
      out.add(Shape.PROSE, InlineText.of(paragraph.toString()));
      paragraph.setLength(0);
    }
  }
}
