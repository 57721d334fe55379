package rubricem.protocol.report;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites one paragraph of a policy's Markdown: links and bare addresses that a tool returned stay
 * links, others become their text; images become their description; raw HTML becomes text; numbers
 * in brackets that could be taken for ours go. Every bracket that is left is escaped, so that
 * nothing can turn into a link later. One pass, linear.
 */
final class SafeInline {
  private static final int TARGET_MAX = 4_096;
  private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

  private final String text;
  private final LinkTargets targets;
  private final Map<String, String> definitions;
  private final boolean cells;
  private final int[] partner;
  private final @Nullable LinkEnd[] ends;
  private final StringBuilder out;
  private final StringBuilder marksOfLink = new StringBuilder();
  private int linkUntil = -1;
  private int silentUntil = -1;
  private int removed;

  /** What to write at a closing bracket, and where to go on. */
  private record LinkEnd(String write, int next) {}

  /** @param cells whether the text may hold a table */
  SafeInline(String text, LinkTargets targets, Map<String, String> definitions, boolean cells) {
    this.text = text;
    this.targets = targets;
    this.definitions = definitions;
    this.cells = cells;
    this.partner = partners(text, cells);
    this.ends = new LinkEnd[text.length()];
    this.out = new StringBuilder(text.length() + 32);
  }

  int removedLinks() {
    return removed;
  }

  String rewrite() {
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (linkUntil >= 0 && i > linkUntil) {
        endLink(linkUntil);
      }
      i = switch (c) {
        case '\\' -> escaped(i);
        case '`' -> code(i);
        case '<' -> angle(i);
        case '!', '[' -> opening(i);
        case ']' -> closing(i);
        case ClaimMarks.OPEN -> mark(i);
        case '【' -> foreignMarker(i);
        case 'h', 'H', 'f', 'F', 'w', 'W' -> address(i);
        default -> copy(i);
      };
    }
    if (linkUntil >= 0) {
      endLink(linkUntil);
    }
    return out.toString();
  }

  private int copy(int i) {
    out.append(text.charAt(i));
    return i + 1;
  }

  private int escaped(int i) {
    char next = i + 1 < text.length() ? text.charAt(i + 1) : '\n';
    if (PUNCTUATION.indexOf(next) >= 0) {
      out.append('\\').append(next);
      return i + 2;
    }
    // before what may change or go it would take the meaning from what we write instead
    boolean stays =
        next == '\n' || Character.isLetterOrDigit(next) && Addresses.end(text, i + 1) < 0;
    out.append(stays ? "\\" : "\\\\");
    return i + 1;
  }

  private int mark(int i) {
    int close = text.indexOf(ClaimMarks.CLOSE, i);
    (i < linkUntil ? marksOfLink : out).append(text, i, close + 1);
    return close + 1;
  }

  /** A code span stays as it is; a run of backticks that opens none is escaped. */
  private int code(int i) {
    int end = CodeSpans.end(text, i, cells);
    if (end < 0) {
      int run = CodeSpans.run(text, i);
      out.append("\\`".repeat(run));
      return i + run;
    }
    if (i < linkUntil) {
      String marks = ClaimMarks.only(text, i, end);
      marksOfLink.append(marks);
      span(ClaimMarks.replace(text.substring(i, end), claim -> ""));
    } else {
      span(text.substring(i, end));
    }
    return end;
  }

  /** Writes a code span; beside another one both would become a single one with another end. */
  private void span(String code) {
    boolean meets = !out.isEmpty() && out.charAt(out.length() - 1) == '`';
    out.append(meets ? " " : "").append(code);
  }

  private int angle(int i) {
    char after = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
    if (Character.isWhitespace(after) || "0123456789=-".indexOf(after) >= 0) {
      return copy(i);
    }
    int close = near(text, '>', i, TARGET_MAX);
    boolean near = close > 0;
    String inner = near ? text.substring(i + 1, close) : "";
    if (near && HtmlTags.isAddress(inner)) {
      bare(inner, i);
      return close + 1;
    }
    Optional<String> address = near ? HtmlTags.addressOf(inner) : Optional.empty();
    address.filter(a -> targets.find(a).isEmpty()).ifPresent(a -> removed++);
    if (near && HtmlTags.isDropped(inner)) {
      out.append(HtmlTags.breaksLine(inner) ? " " : "");
      out.append(ClaimMarks.only(text, i, close));
      return close + 1;
    }
    out.append('\\');
    return copy(i);
  }

  private int opening(int i) {
    boolean image = text.charAt(i) == '!';
    int open = image ? i + 1 : i;
    if (image && (open >= text.length() || text.charAt(open) != '[')) {
      return copy(i);
    }
    int close = partner[open];
    LinkTarget target = close < 0 ? null : LinkTarget.after(text, close, open, definitions);
    if (target == null) {
      return close > 0 && Markers.isForeign(text, open, close)
          ? dropMarker(open, close) : literal(image, open, close);
    }
    return link(image, open, close, target);
  }

  private int literal(boolean image, int open, int close) {
    out.append(image ? "!\\[" : "\\[");
    if (close > 0) {
      ends[close] = new LinkEnd("\\]", close + 1);
    }
    return open + 1;
  }

  private int link(boolean image, int open, int close, LinkTarget target) {
    Optional<String> known = targets.find(target.url());
    boolean counts = open >= silentUntil && open >= linkUntil;
    removed += counts && (image || known.isEmpty()) ? 1 : 0;
    String marks = ClaimMarks.only(text, close, target.end());
    boolean number = Markers.isForeign(text, open, close);
    if (image || known.isEmpty() || open < linkUntil) {
      silentUntil = Math.max(silentUntil, close);
      ends[close] = new LinkEnd(marks, target.end());
      return number ? skip(open, close) : open + 1;
    }
    noImage();
    linkUntil = close;
    marksOfLink.setLength(0);
    ends[close] = new LinkEnd("](" + MarkdownText.destination(known.get()) + ")", target.end());
    marksOfLink.append(marks);
    out.append('[');
    if (number || text.substring(open + 1, close).isBlank()) {
      out.append(MarkdownText.escape(known.get()));
      return skip(open, close);
    }
    return open + 1;
  }

  /** Goes on at the closing bracket; what stood between is not shown. */
  private int skip(int open, int close) {
    String marks = ClaimMarks.only(text, open, close);
    (open < linkUntil ? marksOfLink : out).append(marks);
    return close;
  }

  private int closing(int i) {
    LinkEnd end = ends[i];
    if (end == null) {
      out.append("\\]");
      return i + 1;
    }
    if (i == linkUntil) {
      endLink(i);
    } else {
      out.append(end.write());
    }
    return end.next();
  }

  /** Closes the link we wrote, also where its own bracket was swallowed by something else. */
  private void endLink(int close) {
    LinkEnd end = ends[close];
    out.append(end == null ? "" : end.write()).append(marksOfLink);
    marksOfLink.setLength(0);
    linkUntil = -1;
  }

  private int dropMarker(int open, int close) {
    closeGap(close + 1);
    skip(open, close);
    return close + 1;
  }

  /** Takes back the blank before something that went, unless a word follows. */
  private void closeGap(int next) {
    int last = out.length() - 1;
    boolean bracket = last >= 1 && out.charAt(last - 1) == '<';
    boolean gap = last >= 0 && out.charAt(last) == ' ' && !bracket;
    if (gap && (next >= text.length() || !Character.isLetterOrDigit(text.charAt(next)))) {
      out.setLength(last);
    }
  }

  private int foreignMarker(int i) {
    int close = near(text, '】', i, 64);
    if (close < 0 || text.indexOf(ClaimMarks.OPEN, i, close) >= 0) {
      return copy(i);
    }
    boolean cites = text.indexOf('†', i, close) >= 0 || Markers.isForeign(text, i, close);
    if (!cites) {
      return copy(i);
    }
    closeGap(close + 1);
    return close + 1;
  }

  private int address(int i) {
    int end = Addresses.end(text, i);
    if (end < 0) {
      return copy(i);
    }
    bare(text.substring(i, end), i);
    return end;
  }

  /** An address that stands for itself: a link if a tool returned it, else code. */
  private void bare(String url, int at) {
    Optional<String> known = targets.find(url);
    boolean inside = at < linkUntil || at < silentUntil;
    if (known.isPresent() && !inside) {
      noImage();
      out.append(MarkdownText.link(url, known.get()));
    } else {
      removed += known.isEmpty() && !inside ? 1 : 0;
      String shown = ClaimMarks.replace(url, claim -> "").replace('`', '\'').replace("|", "%7C");
      span("`" + shown + "`");
      out.append(ClaimMarks.only(url, 0, url.length()));
    }
  }

  /** The next {@code c} within {@code most} characters, or -1. */
  static int near(String text, char c, int from, int most) {
    int stop = Math.min(text.length(), from + most);
    for (int i = from; i < stop; i++) {
      if (text.charAt(i) == c) {
        return i;
      }
    }
    return -1;
  }

  /** Before a link of ours: an exclamation mark in front would make it an image. */
  private void noImage() {
    int last = out.length() - 1;
    int slashes = 0;
    while (last - slashes > 0 && out.charAt(last - slashes - 1) == '\\') {
      slashes++;
    }
    if (last >= 0 && out.charAt(last) == '!' && slashes % 2 == 0) {
      out.insert(last, '\\');
    }
  }

  /** For each opening bracket the place of its closing one, or -1. */
  private static int[] partners(String text, boolean cells) {
    int[] partner = new int[text.length()];
    int[] stack = new int[text.length()];
    int depth = 0;
    Arrays.fill(partner, -1);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '`') {
        int end = CodeSpans.end(text, i, cells);
        i = (end < 0 ? i + CodeSpans.run(text, i) : end) - 1;
      } else if (c == '[') {
        stack[depth++] = i;
      } else if (c == ']' && depth > 0) {
        partner[stack[--depth]] = i;
      }
    }
    return partner;
  }
}
