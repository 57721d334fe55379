package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes scripts and styles out of Markdown, with all that stands between their tags, blank lines
 * included: a page never shows them. What is shown as code stays, and so does a tag that nothing
 * closes: in doubt a line is text.
 */
final class MarkdownScripts {
  private static final Pattern OPEN =
      Pattern.compile("<(script|style)(?=[\\s>/]|$)", Pattern.CASE_INSENSITIVE);
  private static final Pattern FENCE = Pattern.compile("^\\s*(```+|~~~+).*$");

  /** So far in, a line is code. */
  private static final String CODE = "    ";

  private final List<String> lines;
  private final List<String> kept = new ArrayList<>();

  /** Tags that nothing closes further down: looked for once. */
  private final Set<String> unclosed = new HashSet<>();

  /** Where what is closed goes on. */
  private record Place(int line, int column) {}

  private MarkdownScripts(List<String> lines) {
    this.lines = lines;
  }

  static List<String> without(List<String> lines) {
    MarkdownScripts scripts = new MarkdownScripts(lines);
    scripts.read();
    return scripts.kept;
  }

  private void read() {
    String fence = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher marks = FENCE.matcher(line);
      boolean atFence = marks.matches();
      if (!fence.isEmpty()) {
        fence = line.strip().startsWith(fence) ? "" : fence;
        kept.add(line);
      } else if (atFence || line.startsWith(CODE)) {
        fence = atFence ? marks.group(1) : "";
        kept.add(line);
      } else {
        i = shown(i);
      }
    }
  }

  /** Keeps what is shown of a line, and returns the last line that went with it. */
  private int shown(int number) {
    StringBuilder text = new StringBuilder();
    Place at = new Place(number, 0);
    while (true) {
      String line = lines.get(at.line());
      Matcher open = OPEN.matcher(line);
      int from = at.column();
      Place end = null;
      while (end == null && open.find(from)) {
        from = open.end();
        end = inCode(line, open.start()) ? null : closed(at.line(), from, open.group(1));
      }
      if (end == null) {
        kept.add(text.append(line.substring(at.column())).toString());
        return at.line();
      }
      text.append(line, at.column(), open.start());
      at = end;
    }
  }

  private static boolean inCode(String line, int at) {
    return line.substring(0, at).chars().filter(c -> c == '`').count() % 2 == 1;
  }

  private @org.jspecify.annotations.Nullable Place closed(int line, int column, String tag) {
    String name = tag.toLowerCase(Locale.ROOT);
    if (unclosed.contains(name)) {
      return null;
    }
    Pattern close = Pattern.compile("</" + name + "\\s*>", Pattern.CASE_INSENSITIVE);
    for (int i = line; i < lines.size(); i++) {
      Matcher found = close.matcher(lines.get(i));
      if (found.find(i == line ? column : 0)) {
        return new Place(i, found.end());
      }
    }
    unclosed.add(name);
    return null;
  }
}
