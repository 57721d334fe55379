package rubricem.persistence.corpus;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;

/**
 * A tag among lines of Markdown that hides what stands in it, by the rule of {@link HtmlNoise}: one
 * rule for pages, however they are written. Reads no more of the lines than a tag may have. Where
 * its element ends is not for it to find, only by what.
 *
 * @param name in small letters
 * @param line where the tag ends
 * @param column the first behind it
 */
record HiddenTag(String name, int line, int column) {
  /** Longer than any tag; one without an end is looked at so far, however often it comes. */
  private static final int CHARS_MAX = 2_000;

  private static final Set<String> VOID =
      Set.of("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr");

  /** They go on over blank lines; all others end with the paragraph that they stand in. */
  private static final Set<String> BLOCKS =
      Set.of(
          "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "div",
          "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "li", "main",
          "menu", "nav", "ol", "section", "summary", "table", "tbody", "td", "tfoot", "th",
          "thead", "tr", "ul");

  /** Blocks that need no end tag. */
  private static final Set<String> OPEN_ENDED =
      Set.of("dd", "dt", "li", "tbody", "td", "tfoot", "th", "thead", "tr");

  /** The tag at {@code from}, where there is one and it hides. */
  static Optional<HiddenTag> at(List<String> lines, int from, int start) {
    StringBuilder tag = new StringBuilder();
    char quote = 0;
    for (int i = from; i < lines.size() && tag.length() < CHARS_MAX; i++) {
      String line = lines.get(i);
      if (line.isBlank()) {
        return Optional.empty();
      }
      for (int c = i == from ? start : 0; c < line.length() && tag.length() < CHARS_MAX; c++) {
        char at = line.charAt(c);
        tag.append(at);
        if (quote != 0) {
          quote = at == quote ? 0 : quote;
        } else if (at == '"' || at == '\'') {
          quote = at;
        } else if (at == '>') {
          return hiding(tag.toString(), i, c + 1);
        } else if (at == '<' && tag.length() > 1) {
          return Optional.empty();
        }
      }
      tag.append('\n');
    }
    return Optional.empty();
  }

  private static Optional<HiddenTag> hiding(String tag, int line, int column) {
    String small = tag.toLowerCase(Locale.ROOT);
    if (!small.contains("hidden") && !small.contains("style")) {
      return Optional.empty();
    }
    Element element =
        Jsoup.parse(tag, "", Parser.xmlParser().settings(ParseSettings.htmlDefault))
            .firstElementChild();
    return element == null || VOID.contains(element.normalName()) || !HtmlNoise.hides(element)
        ? Optional.empty()
        : Optional.of(new HiddenTag(element.normalName(), line, column));
  }

  boolean isBlock() {
    return BLOCKS.contains(name);
  }

  /** Whether it may end without an end tag. */
  boolean isOpenEnded() {
    return OPEN_ENDED.contains(name);
  }
}
