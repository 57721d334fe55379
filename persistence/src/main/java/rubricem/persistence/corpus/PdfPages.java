package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jsoup.nodes.Element;
import rubricem.persistence.corpus.Block.Shape;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Reads a PDF page by page and leaves out the running headers and footers: lines at the edge of a
 * page that, numbers aside, stand on most pages. Footnotes stay. A document whose pages hold no
 * letters is scanned, and said to be.
 */
final class PdfPages {
  /** Lines at the top and bottom of a page that may be running headers. */
  private static final int EDGE_LINES = 3;

  /** Below this many pages a repeated line may well be text. */
  private static final int PAGES_MIN = 3;

  private PdfPages() {}

  static Reading read(Element root, String title, String name, BlockList out) {
    List<List<List<String>>> pages = new ArrayList<>();
    for (Element page : root.select("div.page")) {
      pages.add(paragraphs(page));
    }
    Set<String> running = running(pages);
    int bare = 0;
    for (int i = 0; i < pages.size(); i++) {
      out.place("page " + (i + 1), "page=" + (i + 1));
      boolean any = false;
      for (List<String> paragraph : kept(pages.get(i), running)) {
        any = true;
        out.add(Shape.PROSE, String.join("\n", paragraph));
      }
      bare += any ? 0 : 1;
    }
    List<String> notes =
        bare > 0 && bare < pages.size()
            ? List.of(bare + " of " + pages.size() + " pages hold no text and are not searched")
            : List.of();
    Reading.Unreadable none =
        pages.isEmpty()
            ? new Reading.Unreadable(UnreadableKind.EMPTY)
            : new Reading.Unreadable(UnreadableKind.SCANNED, "" + pages.size());
    return DocumentReader.finished(title, name, out, notes, none);
  }

  private static List<List<String>> paragraphs(Element page) {
    List<List<String>> paragraphs = new ArrayList<>();
    for (Element p : page.select("p, div.annotation")) {
      List<String> lines =
          p.wholeText().lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
      if (!lines.isEmpty()) {
        paragraphs.add(lines);
      }
    }
    return paragraphs;
  }

  private static Set<String> running(List<List<List<String>>> pages) {
    if (pages.size() < PAGES_MIN) {
      return Set.of();
    }
    Map<String, Integer> seen = new HashMap<>();
    for (List<List<String>> page : pages) {
      Set<String> here = new HashSet<>();
      List<String> lines = page.stream().flatMap(List::stream).toList();
      for (int i = 0; i < lines.size(); i++) {
        if (isEdge(i, lines.size())) {
          here.add(shape(lines.get(i)));
        }
      }
      here.forEach(line -> seen.merge(line, 1, Integer::sum));
    }
    int needed = Math.max(PAGES_MIN, (pages.size() + 1) / 2);
    Set<String> running = new HashSet<>();
    seen.forEach((line, count) -> {
      if (count >= needed) {
        running.add(line);
      }
    });
    return running;
  }

  private static List<List<String>> kept(List<List<String>> page, Set<String> running) {
    int total = page.stream().mapToInt(List::size).sum();
    int at = 0;
    List<List<String>> kept = new ArrayList<>();
    for (List<String> paragraph : page) {
      List<String> lines = new ArrayList<>();
      for (String line : paragraph) {
        if (!(isEdge(at++, total) && running.contains(shape(line)))) {
          lines.add(line);
        }
      }
      if (!lines.isEmpty()) {
        kept.add(lines);
      }
    }
    return kept;
  }

  private static boolean isEdge(int line, int lines) {
    return line < EDGE_LINES || line >= lines - EDGE_LINES;
  }

  private static String shape(String line) {
    return line.replaceAll("\\b\\d+\\b", "#").replaceAll("\\s+", " ");
  }
}
