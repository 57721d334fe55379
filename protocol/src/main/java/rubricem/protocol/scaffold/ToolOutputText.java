package rubricem.protocol.scaffold;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;

/**
 * Writes what a tool gave back as the policy sees it, and reads it back for policies and checks
 * that work from the messages alone. Every value comes from outside and is escaped ({@link
 * OutsideText}); values of one line keep no line break. Reading gives back the exact texts. It
 * never throws: what is not in this form is skipped.
 */
public final class ToolOutputText {
  private static final String OPEN = "<tool_output>";
  private static final String CLOSE = "</tool_output>";
  private static final String SNIPPET = "<snippet id=\"";
  private static final String SNIPPET_END = "\n</snippet>";
  private static final String TITLE = "Title: ";
  private static final String URL = "URL: ";
  private static final String POSITION = "Position: ";
  private static final String REMARK = "Note: ";
  private static final String TEXT = "Snippet: ";
  private static final String NOTE = "<note>";
  private static final String NOTE_END = "</note>";
  private static final String ERROR = "<error>";
  private static final String ERROR_END = "</error>";

  private static final String QUOTE = OutsideText.number('"');

  private ToolOutputText() {}

  /** One snippet as it stood in a tool's output, un-escaped; {@code note} is the passage's. */
  public record ReadSnippet(
      String id,
      String title,
      String url,
      String position,
      Optional<String> note,
      String text) {}

  /** A tool's output, read back. */
  public record ReadToolOutput(
      List<ReadSnippet> snippets, List<String> notes, List<String> errors) {
    public ReadToolOutput {
      snippets = List.copyOf(snippets);
      notes = List.copyOf(notes);
      errors = List.copyOf(errors);
    }
  }

  public static String print(List<Snippet> snippets, List<String> notes) {
    StringBuilder out = new StringBuilder(OPEN).append('\n');
    for (Snippet snippet : snippets) {
      snippet(out, snippet.id(), snippet.passage());
    }
    for (String note : notes) {
      out.append(NOTE).append(OutsideText.escape(note)).append(NOTE_END).append('\n');
    }
    return out.append(CLOSE).toString();
  }

  /** A snippet takes no more than this when it is printed; found without printing it. */
  public static long lengthMax(Snippet snippet) {
    Passage p = snippet.passage();
    return FRAME_MAX
        + OutsideText.escapedLengthMax(snippet.id())
        + OutsideText.escapedLengthMax(p.title())
        + OutsideText.escapedLengthMax(p.url())
        + OutsideText.escapedLengthMax(p.position())
        + p.note().map(OutsideText::escapedLengthMax).orElse(0L)
        + OutsideText.escapedLengthMax(p.text());
  }

  /** Tags and labels around one snippet. */
  private static final int FRAME_MAX = 200;

  public static String printError(String error) {
    return OPEN + '\n' + ERROR + OutsideText.escape(error) + ERROR_END + '\n' + CLOSE;
  }

  private static void snippet(StringBuilder out, String id, Passage passage) {
    out.append(SNIPPET).append(OutsideText.escapeLine(id).replace("\"", QUOTE)).append("\">\n");
    line(out, TITLE, passage.title());
    line(out, URL, passage.url());
    if (!passage.position().isEmpty()) {
      line(out, POSITION, passage.position());
    }
    passage.note().ifPresent(note -> line(out, REMARK, note));
    out.append(TEXT).append(OutsideText.escape(passage.text())).append(SNIPPET_END).append('\n');
  }

  private static void line(StringBuilder out, String label, String value) {
    out.append(label).append(OutsideText.escapeLine(value)).append('\n');
  }

  public static ReadToolOutput parse(String text) {
    List<ReadSnippet> snippets = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    Cursor cursor = new Cursor(text);
    while (cursor.findTag()) {
      if (cursor.take(SNIPPET)) {
        snippet(cursor).ifPresent(snippets::add);
      } else if (cursor.take(NOTE)) {
        cursor.until(NOTE_END).map(OutsideText::unescape).ifPresent(notes::add);
      } else if (cursor.take(ERROR)) {
        cursor.until(ERROR_END).map(OutsideText::unescape).ifPresent(errors::add);
      } else {
        cursor.skip();
      }
    }
    return new ReadToolOutput(snippets, notes, errors);
  }

  private static Optional<ReadSnippet> snippet(Cursor cursor) {
    Optional<String> id = cursor.until("\">\n");
    Optional<String> title = cursor.line(TITLE);
    Optional<String> url = cursor.line(URL);
    String position = cursor.line(POSITION).orElse("");
    Optional<String> note = cursor.line(REMARK);
    if (id.isEmpty() || title.isEmpty() || url.isEmpty() || !cursor.take(TEXT)) {
      return Optional.empty();
    }
    return cursor
        .until(SNIPPET_END)
        .map(
            body ->
                new ReadSnippet(
                    OutsideText.unescape(id.get()), title.get(), url.get(), position, note,
                    OutsideText.unescape(body)));
  }

  /** A place in the text. A search that found nothing is not repeated, which keeps it linear. */
  private static final class Cursor {
    private final String text;
    private int at;

    Cursor(String text) {
      this.text = text;
    }

    boolean findTag() {
      int next = text.indexOf('<', at);
      at = next < 0 ? text.length() : next;
      return next >= 0;
    }

    boolean take(String expected) {
      boolean there = text.startsWith(expected, at);
      at += there ? expected.length() : 0;
      return there;
    }

    void skip() {
      at++;
    }

    /** The text before {@code end}; without one nothing, and the cursor is at the text's end. */
    Optional<String> until(String end) {
      int to = text.indexOf(end, at);
      if (to < 0) {
        at = text.length();
        return Optional.empty();
      }
      String found = text.substring(at, to);
      at = to + end.length();
      return Optional.of(found);
    }

    Optional<String> line(String label) {
      return take(label) ? until("\n").map(OutsideText::unescape) : Optional.empty();
    }
  }
}
