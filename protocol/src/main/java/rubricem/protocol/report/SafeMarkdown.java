package rubricem.protocol.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy's Markdown made safe, block by block: code stays verbatim, lists of references and link
 * definitions of the policy's own go, everything between is rewritten by {@link SafeInline}. Marks
 * of claims always survive, whatever stood around them. Linear; never throws.
 *
 * @param removedLinks links, images and bare addresses that no tool returned
 * @param removedSections reference lists of the policy's own
 */
record SafeMarkdown(String text, int removedLinks, int removedSections) {

  static SafeMarkdown of(String markdown, LinkTargets targets) {
    List<String> lines = new ArrayList<>(List.of(markdown.split("\n", -1)));
    int removedSections = 0;
    int removedLinks = 0;
    int section = ReferenceSections.startOfOwn(lines);
    if (section >= 0) {
      List<String> dropped = lines.subList(section, lines.size());
      removedLinks += Pass.over(targets, dropped).removed;
      removedSections = 1;
      lines = lines.subList(0, section);
    }
    Pass pass = Pass.over(targets, lines);
    return new SafeMarkdown(
        pass.out.toString().strip(), removedLinks + pass.removed, removedSections);
  }

  /**
   * The opening of a code fence.
   *
   * @param indent how deep it stands, list markers before it included
   * @param marks of claims that stood behind it; they follow the code
   */
  private record Fence(
      char character, int length, int indent, boolean quoted, String language, String marks) {}

  private static final class Pass {
    private final LinkTargets targets;
    private final List<String> lines;
    private final Map<String, String> definitions = new HashMap<>();
    private final boolean shift;
    private final boolean cells;
    private final StringBuilder out = new StringBuilder();
    private final StringBuilder paragraph = new StringBuilder();
    private final List<String> code = new ArrayList<>();
    private @Nullable Fence fence;
    int removed;

    private Pass(LinkTargets targets, List<String> lines, boolean cells) {
      this.targets = targets;
      this.lines = lines;
      this.cells = cells;
      this.shift = lines.stream().anyMatch(l -> l.startsWith("# "));
      for (String line : lines) {
        int end = definitionEnd(line);
        if (end > 0) {
          definitions.putIfAbsent(label(line, end), target(line, end));
        }
      }
    }

    /** Bars in code are harmless until what was written shows a table; only then a second time. */
    static Pass over(LinkTargets targets, List<String> lines) {
      Pass pass = new Pass(targets, lines, false).rewrite();
      boolean table = pass.out.toString().lines().anyMatch(SafeMarkdown::ruleOfTable);
      return table ? new Pass(targets, lines, true).rewrite() : pass;
    }

    private Pass rewrite() {
      for (String line : lines) {
        if (fence != null && closesContainer(fence, line)) {
          endFence(fence);
        }
        if (fence != null) {
          inFence(fence, line);
        } else {
          outside(line);
        }
      }
      flush();
      if (fence != null) {
        endFence(fence);
      }
      return this;
    }

    private void outside(String line) {
      Fence opens = fenceAt(line);
      int definition = definitionEnd(line);
      if (opens != null) {
        flush();
        fence = opens;
      } else if (definition > 0) {
        flush();
        removed += targets.find(target(line, definition)).isPresent() ? 0 : 1;
        String marks = ClaimMarks.only(line, 0, line.length());
        out.append(marks).append(marks.isEmpty() ? "" : "\n\n");
      } else if (line.isBlank()) {
        flush();
        out.append('\n');
      } else {
        boolean heading = line.stripLeading().startsWith("#");
        if (heading) {
          flush();
        }
        String shifted = heading && shift && line.startsWith("#") && !line.startsWith("######")
            ? "#" + line : line;
        paragraph.append(shifted).append('\n');
        if (heading) {
          flush();
        }
      }
    }

    private void flush() {
      if (!paragraph.isEmpty()) {
        SafeInline inline = new SafeInline(paragraph.toString(), targets, definitions, cells);
        out.append(inline.rewrite());
        removed += inline.removedLinks();
        paragraph.setLength(0);
      }
    }

    private void inFence(Fence open, String line) {
      String bare = open.quoted ? unquoted(line) : line;
      String stripped = bare.strip();
      int run = run(stripped, 0, open.character);
      if (run >= open.length && run == stripped.length()) {
        endFence(open);
      } else {
        code.add(bare.substring(Math.min(indent(bare), open.indent)));
      }
    }

    /**
     * Writes the code at the margin in a fence longer than any run of backticks inside, so that no
     * reader of Markdown can see its end anywhere else. In a list the list ends here.
     */
    private void endFence(Fence open) {
      int longest = 2;
      for (String line : code) {
        for (int i = line.indexOf('`'); i >= 0; i = line.indexOf('`', i + run(line, i, '`'))) {
          longest = Math.max(longest, run(line, i, '`'));
        }
      }
      String ticks = "`".repeat(longest + 1);
      blankLine();
      out.append(ticks).append(open.language).append('\n');
      code.forEach(line -> out.append(line).append('\n'));
      out.append(ticks).append('\n');
      out.append(open.marks.isEmpty() ? "" : "\n" + open.marks + "\n\n");
      code.clear();
      fence = null;
    }

    private void blankLine() {
      if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
        out.append('\n');
      }
      if (out.length() > 1 && out.charAt(out.length() - 2) != '\n') {
        out.append('\n');
      }
    }
  }

  /** Whether a line could be the one below the head of a table, in a quotation or list too. */
  private static boolean ruleOfTable(String line) {
    return line.indexOf('-') >= 0 && (line.indexOf('|') >= 0 || line.indexOf(':') >= 0)
        && line.chars().allMatch(c -> "|:- \t>0123456789.)*+".indexOf(c) >= 0);
  }

  /** Whether a line leaves the list item or quotation in which the fence was opened. */
  private static boolean closesContainer(Fence fence, String line) {
    if (fence.quoted) {
      return !line.stripLeading().startsWith(">");
    }
    return fence.indent >= 2 && !line.isBlank() && indent(line) < Math.min(fence.indent, 2);
  }

  private static @Nullable Fence fenceAt(String line) {
    int at = 0;
    boolean quoted = false;
    while (at < line.length() && isContainer(line, at)) {
      quoted |= line.charAt(at) == '>';
      at++;
    }
    if (at >= line.length() || line.charAt(at) != '`' && line.charAt(at) != '~') {
      return null;
    }
    char character = line.charAt(at);
    int length = run(line, at, character);
    boolean code = length >= 3 && (character == '~' || line.indexOf('`', at + length) < 0);
    return code
        ? new Fence(character, length, at, quoted, language(line, at + length),
            ClaimMarks.only(line, 0, line.length()))
        : null;
  }

  private static boolean isContainer(String line, int at) {
    char c = line.charAt(at);
    boolean bullet =
        "-*+.)".indexOf(c) >= 0 && at + 1 < line.length() && line.charAt(at + 1) == ' ';
    return c == ' ' || c == '\t' || c == '>' || bullet || c >= '0' && c <= '9';
  }

  /** The name of a language behind an opening; nothing else that stands there is kept. */
  private static String language(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) == ' ') {
      at++;
    }
    int end = at;
    while (end < line.length() && isLanguage(line.charAt(end))) {
      end++;
    }
    return line.substring(at, end);
  }

  private static String unquoted(String line) {
    int at = indent(line);
    boolean quote = at < line.length() && line.charAt(at) == '>';
    if (!quote) {
      return line;
    }
    return line.substring(at + 1).startsWith(" ") ? line.substring(at + 2) : line.substring(at + 1);
  }

  private static boolean isLanguage(char c) {
    return c < 128 && Character.isLetterOrDigit(c) || "+#-_.".indexOf(c) >= 0;
  }

  private static int run(String text, int from, char c) {
    int i = from;
    while (i < text.length() && text.charAt(i) == c) {
      i++;
    }
    return i - from;
  }

  private static int indent(String line) {
    int i = 0;
    while (i < line.length() && (line.charAt(i) == ' ' || line.charAt(i) == '\t')) {
      i++;
    }
    return i;
  }

  /** Where the target of a link definition starts, or -1: {@code [label]: target}. */
  private static int definitionEnd(String line) {
    int at = indent(line);
    int close = at < line.length() && line.charAt(at) == '[' ? line.indexOf("]:", at) : -1;
    if (close <= at + 1) {
      return -1;
    }
    String target = target(line, close + 2);
    boolean address = target.contains("://") || target.startsWith("/") || target.startsWith("#")
        || target.startsWith("www.") || target.indexOf(':') > 0 && target.indexOf(' ') < 0;
    boolean footnote = line.charAt(at + 1) == '^';
    return address || footnote ? close + 2 : -1;
  }

  private static String target(String line, int from) {
    String rest = line.substring(from).strip();
    if (rest.startsWith("<") && rest.indexOf('>') > 0) {
      return rest.substring(1, rest.indexOf('>'));
    }
    int blank = rest.indexOf(' ');
    return blank < 0 ? rest : rest.substring(0, blank);
  }

  private static String label(String line, int end) {
    return labelKey(line.substring(line.indexOf('[') + 1, end - 2));
  }

  /** Labels are compared without case and with blanks folded, as Markdown does. */
  static String labelKey(String label) {
    return MarkdownText.line(label).toLowerCase(Locale.ROOT);
  }
}
