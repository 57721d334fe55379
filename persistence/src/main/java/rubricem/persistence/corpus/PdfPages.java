package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Element;
import rubricem.persistence.corpus.Block.Shape;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Reads a PDF page by page and leaves out its {@link RunningLines}. A sentence that a page break
 * cuts stands whole on the page where it begins. Footnotes stay. A document whose pages hold no
 * letters is scanned, and said to be.
 */
final class PdfPages {
  private PdfPages() {}

  static Reading read(Element root, String title, String name, BlockList out) {
    List<List<List<String>>> pages = new ArrayList<>();
    for (Element page : root.select("div.page")) {
      pages.add(paragraphs(page));
    }
    List<List<String>> texts = texts(pages);
    int bare = (int) texts.stream().filter(List::isEmpty).count();
    PageBreaks.mend(texts);
    for (int i = 0; i < texts.size(); i++) {
      out.place("page " + (i + 1), "page=" + (i + 1));
      texts.get(i).forEach(paragraph -> out.add(Shape.PROSE, paragraph));
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

  /** The paragraphs of each page, without running lines. */
  private static List<List<String>> texts(List<List<List<String>>> pages) {
    RunningLines running =
        RunningLines.of(
            pages.stream().map(page -> page.stream().flatMap(List::stream).toList()).toList());
    List<List<String>> texts = new ArrayList<>();
    for (int page = 0; page < pages.size(); page++) {
      List<String> kept = new ArrayList<>();
      int at = 0;
      for (List<String> paragraph : pages.get(page)) {
        List<String> lines = new ArrayList<>();
        for (String line : paragraph) {
          if (!running.isRunning(page, at++)) {
            lines.add(line);
          }
        }
        if (!lines.isEmpty()) {
          kept.add(String.join("\n", lines));
        }
      }
      texts.add(kept);
    }
    return texts;
  }
}
