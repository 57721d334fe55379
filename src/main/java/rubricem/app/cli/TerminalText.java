package rubricem.app.cli;

import java.util.stream.Collectors;

/**
 * Text from outside as it may go to a terminal: everything a terminal would obey or hide is shown
 * by a visible sign instead. Letters of every language, line breaks and tabs stay.
 */
final class TerminalText {
  /** Where Unicode keeps a picture of each control character. */
  private static final int PICTURES = 0x2400;
  private static final int PICTURE_OF_DELETE = 0x2421;
  private static final int TAB_COLUMNS = 4;

  private TerminalText() {}

  /** On one line, cut to {@code columnsMax} columns. */
  static String line(String text, int columnsMax) {
    // no need to look at a whole document to show a line of it
    String head = text.length() > 16 * columnsMax ? text.substring(0, 16 * columnsMax) : text;
    String line = shown(head.replaceAll("\\s+", " ").strip());
    if (columns(line) <= columnsMax) {
      return line;
    }
    StringBuilder cut = new StringBuilder();
    int room = columnsMax - 1;
    for (int i = 0; i < line.length(); ) {
      int point = line.codePointAt(i);
      room -= columns(point);
      if (room < 0) {
        break;
      }
      cut.appendCodePoint(point);
      i += Character.charCount(point);
    }
    return cut.toString().stripTrailing() + "…";
  }

  /** Line for line, as long as it is. */
  static String lines(String text) {
    return text.lines().map(TerminalText::shown).collect(Collectors.joining("\n"));
  }

  /** Every line behind {@code indent}, so that no text can look like a line of ours. */
  static String block(String text, String indent) {
    String tabs = text.replace("\r\n", "\n").replace("\t", " ".repeat(TAB_COLUMNS));
    StringBuilder block = new StringBuilder(tabs.length() + 64);
    for (String line : tabs.split("\n", -1)) {
      block.append((indent + shown(line)).stripTrailing()).append('\n');
    }
    return block.toString();
  }

  /** JSON whose strings hold nothing a terminal obeys; parsed, it is the same as before. */
  static String json(String json) {
    StringBuilder safe = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      // above ASCII such characters can only stand inside strings
      boolean half = Character.isSurrogate(c);
      if (c >= 0x7f && !half && harmful(c)) {
        safe.append(String.format("\\u%04x", (int) c));
      } else {
        safe.append(c);
      }
    }
    return safe.toString();
  }

  /** {@code text} and blanks up to {@code columns}. */
  static String padded(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - columns(text)));
  }

  private static String shown(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (!harmful(point)) {
                shown.appendCodePoint(point);
              } else if (point < ' ') {
                shown.appendCodePoint(PICTURES + point);
              } else if (point == 0x7f) {
                shown.appendCodePoint(PICTURE_OF_DELETE);
              } else {
                shown.append(String.format("<U+%04X>", point));
              }
            });
    return shown.toString();
  }

  private static boolean harmful(int point) {
    // joiners and direction marks are writing and move nothing but their neighbours
    boolean writing = point >= 0x200c && point <= 0x200f || point == 0xad;
    return switch (Character.getType(point)) {
      case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> true;
      case Character.FORMAT -> !writing;
      default -> false;
    };
  }

  private static int columns(String text) {
    return text.codePoints().map(TerminalText::columns).sum();
  }

  /** Two for the wide writing of East Asia and pictures, none for marks on letters. */
  private static int columns(int point) {
    int type = Character.getType(point);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    boolean wide =
        Character.isIdeographic(point)
            || point >= 0x1100 && point <= 0x115f
            || point >= 0x2e80 && point <= 0x30ff
            || point >= 0xac00 && point <= 0xd7a3
            || point >= 0xff00 && point <= 0xff60
            || point >= 0x1f300 && point <= 0x1faff;
    return wide ? 2 : 1;
  }
}
