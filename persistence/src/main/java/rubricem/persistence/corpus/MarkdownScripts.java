package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of Markdown what a page of it never shows: scripts, styles and hidden elements, with
 * all that stands between their tags. What is shown as code stays, and so does a script that
 * nothing closes: in doubt a line is text. A hidden element ends where a browser ends it, be it
 * with the paragraph or with the page.
 */
final class MarkdownScripts {
  private static final Pattern OPEN =
      Pattern.compile("(?<!\\\\)<([a-z][a-z0-9-]*)(?=[\\s>/]|$)", Pattern.CASE_INSENSITIVE);
  private static final Set<String> SCRIPTS = Set.of("script", "style");
  private static final Pattern FENCE = Pattern.compile("^\\s*(```+|~~~+).*$");

  /** So far in, a line is code. */
  private static final String CODE = "    ";

  private final List<String> lines;
  private final List<String> kept = new ArrayList<>();

  /** Tags that nothing closes further down: looked for once. */
  private final Set<String> unclosed = new HashSet<>();

  private int hidden;

  /** The line whose backticks were counted last, how far, and whether they are odd there. */
  private int counted = -1;

  private int countedTo;
  private boolean odd;

  /** Where what is closed goes on. */
  private record Place(int line, int column) {}

  private MarkdownScripts(List<String> lines) {
    this.lines = lines;
  }

  static MarkdownScripts of(List<String> lines) {
    MarkdownScripts scripts = new MarkdownScripts(lines);
    scripts.read();
    return scripts;
  }

  /** What is shown. */
  List<String> kept() {
    return kept;
  }

  /** How many hidden elements were taken out. */
  int hidden() {
    return hidden;
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
        end = inCode(at.line(), open.start()) ? null : end(at.line(), open);
      }
      if (end == null) {
        kept.add(text.append(line.substring(at.column())).toString());
        return at.line();
      }
      text.append(line, at.column(), open.start());
      at = end;
    }
  }

  /** Asked from left to right, so that a long line of many tags is counted through once. */
  private boolean inCode(int number, int at) {
    if (number != counted || at < countedTo) {
      counted = number;
      countedTo = 0;
      odd = false;
    }
    String line = lines.get(number);
    for (; countedTo < at; countedTo++) {
      odd ^= line.charAt(countedTo) == '`';
    }
    return odd;
  }

  /** Where the element ends that opens there, if it is one that is not shown. */
  private @Nullable Place end(int line, Matcher open) {
    String name = open.group(1).toLowerCase(Locale.ROOT);
    if (SCRIPTS.contains(name)) {
      return closed(line, open.end(), name);
    }
    Optional<HiddenTag> hiding = HiddenTag.at(lines, line, open.start());
    if (hiding.isEmpty()) {
      return null;
    }
    hidden++;
    HiddenTag tag = hiding.get();
    Place after = new Place(tag.line(), tag.column());
    if (!tag.isBlock()) {
      return paragraphEnd(after, name);
    }
    if (!tag.isOpenEnded()) {
      return matched(after, name);
    }
    Place closed = closed(after.line(), after.column(), name);
    return closed == null ? paragraphEnd(after, name) : closed;
  }

  private Place paragraphEnd(Place from, String name) {
    Pattern close = closing(name);
    int i = from.line();
    for (; i < lines.size() && (i == from.line() || !lines.get(i).isBlank()); i++) {
      Matcher found = close.matcher(lines.get(i));
      if (found.find(i == from.line() ? from.column() : 0)) {
        return new Place(i, found.end());
      }
    }
    return new Place(i - 1, lines.get(i - 1).length());
  }

  /** The end tag of as many that were opened in it, else the end of the page. */
  private Place matched(Place from, String name) {
    Pattern tags =
        Pattern.compile("<(/?)" + name + "(?=[\\s>/]|$)[^>]*>?", Pattern.CASE_INSENSITIVE);
    int open = 1;
    for (int i = from.line(); i < lines.size(); i++) {
      Matcher found = tags.matcher(lines.get(i));
      int at = i == from.line() ? from.column() : 0;
      while (found.find(at)) {
        open += found.group(1).isEmpty() ? 1 : -1;
        at = found.end();
        if (open == 0) {
          return new Place(i, at);
        }
      }
    }
    return new Place(lines.size() - 1, lines.getLast().length());
  }

  private static Pattern closing(String name) {
    return Pattern.compile("</" + name + "\\s*>", Pattern.CASE_INSENSITIVE);
  }

  private @Nullable Place closed(int line, int column, String name) {
    if (unclosed.contains(name)) {
      return null;
    }
    Pattern close = closing(name);
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
