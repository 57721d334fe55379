package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import rubricem.persistence.corpus.PageLabel.Form;

/**
 * Finds the running heads, running feet and page labels of a document: the outermost line of pages
 * where it stands alike on most of them or counts them, and the line beside it where that one runs
 * itself. In doubt a line is text: noise costs a little, a lost line is never found again. So a
 * sentence never runs, nor a number that may count something else than pages, and a page keeps what
 * it would be nearly empty without. Pure.
 */
final class RunningLines {
  /** Lines at the top and at the bottom of a page that may be running. */
  private static final int EDGE_LINES = 2;

  /** Below this many pages a label that counts them may well be a number of the text. */
  private static final int LABELS_MIN = 3;

  private static final int ALIKE_MIN = 4;
  private static final int HEADS_MIN = 5;

  /** A number further from its page's place in the document rather counts invoices than pages. */
  private static final int OFFSET_MAX = 100;

  /** A page that would keep less than one in so many of its characters keeps all its words. */
  private static final int KEPT_ONE_OF = 4;

  private static final Pattern LETTER = Pattern.compile("\\p{L}");
  private static final Pattern OPEN_OR_ENDED =
      Pattern.compile(".*(?:[.!?…:;,。！？、，；：؟،۔।]|\\p{L}[-\u00AD])[\\s\"'”’»“)\\]]*");
  private static final Pattern GOES_ON = Pattern.compile("\\p{Ll}.*\\s.*");

  private enum Edge {
    TOP,
    BOTTOM
  }

  /** @param offset how far the number is from the place of its page */
  private record Counted(Edge edge, String frame, Form form, int offset) {}

  private record Place(int page, int line) {}

  private final List<List<String>> pages;
  private final Set<Place> running = new HashSet<>();

  private RunningLines(List<List<String>> pages) {
    this.pages = pages;
  }

  /** @param pages the lines of each page in reading order */
  static RunningLines of(List<List<String>> pages) {
    RunningLines lines = new RunningLines(pages);
    if (pages.size() >= LABELS_MIN) {
      for (Edge edge : Edge.values()) {
        lines.judge(edge);
      }
      lines.spareBarePages();
    }
    return lines;
  }

  boolean isRunning(int page, int line) {
    return running.contains(new Place(page, line));
  }

  private void judge(Edge edge) {
    Map<Counted, TreeSet<Integer>> counted = new HashMap<>();
    Map<String, TreeSet<Integer>> alike = new HashMap<>();
    for (int depth = 0; depth < EDGE_LINES; depth++) {
      List<Place> candidates = candidates(edge, depth);
      for (Place place : candidates) {
        String text = text(place);
        counted(edge, place)
            .forEach(c -> counted.computeIfAbsent(c, k -> new TreeSet<>()).add(place.page()));
        if (LETTER.matcher(text).find() && !isSentence(text)) {
          alike.computeIfAbsent(text, k -> new TreeSet<>()).add(place.page());
        }
      }
      Set<String> heads = alike(alike);
      for (Place place : candidates) {
        boolean counts =
            counted(edge, place).stream().anyMatch(shape -> isCounting(shape, counted));
        if (counts || heads.contains(text(place))) {
          running.add(place);
        }
      }
    }
  }

  private List<Place> candidates(Edge edge, int depth) {
    List<Place> places = new ArrayList<>();
    for (int page = 0; page < pages.size(); page++) {
      int lines = pages.get(page).size();
      int outer = edge == Edge.TOP ? depth - 1 : lines - depth;
      int line = edge == Edge.TOP ? depth : lines - 1 - depth;
      boolean open = depth == 0 || isRunning(page, outer);
      if (open && line >= 0 && line < lines) {
        places.add(new Place(page, line));
      }
    }
    return places;
  }

  private String text(Place place) {
    return pages.get(place.page()).get(place.line()).strip().replaceAll("\\s+", " ");
  }

  private List<Counted> counted(Edge edge, Place place) {
    String text = text(place);
    return PageLabel.of(text).stream()
        .filter(label -> label.isLabel() || !isSentence(text))
        .map(l -> new Counted(edge, l.frame(), l.form(), l.number() - place.page() - 1))
        .toList();
  }

  /** Whether a line ends a sentence, leaves one open or goes on with one. */
  private static boolean isSentence(String text) {
    return OPEN_OR_ENDED.matcher(text).matches() || GOES_ON.matcher(text).matches();
  }

  /** Lines that most pages have, or that share most pages, as heads that change by chapter. */
  private Set<String> alike(Map<String, TreeSet<Integer>> seen) {
    Set<String> often = new HashSet<>();
    Set<Integer> on = new HashSet<>();
    seen.forEach(
        (text, pagesOfText) -> {
          if (pagesOfText.size() >= ALIKE_MIN) {
            often.add(text);
            on.addAll(pagesOfText);
          }
        });
    return on.size() * 2 > pages.size() ? often : Set.of();
  }

  private static boolean isCounting(Counted shape, Map<Counted, TreeSet<Integer>> seen) {
    return switch (shape.form()) {
      case LABEL -> isDense(seen.get(shape), LABELS_MIN);
      case APART, TITLED ->
          Math.abs(shape.offset()) <= OFFSET_MAX && isDense(seen.get(shape), HEADS_MIN);
      case LEADING, TRAILING ->
          Math.abs(shape.offset()) <= OFFSET_MAX
              && isDense(seen.get(shape), LABELS_MIN)
              && onFacingPages(shape.offset(), seen);
    };
  }

  /** Numbers that stand before the head of one page and after that of the next are of pages. */
  private static boolean onFacingPages(int offset, Map<Counted, TreeSet<Integer>> seen) {
    TreeSet<Integer> before = new TreeSet<>();
    TreeSet<Integer> after = new TreeSet<>();
    seen.forEach(
        (shape, on) -> {
          if (shape.offset() == offset && !shape.form().equals(Form.LABEL)) {
            (shape.form() == Form.LEADING ? before : after).addAll(on);
          }
        });
    return before.size() >= LABELS_MIN
        && after.size() >= LABELS_MIN
        && before.stream().noneMatch(page -> before.contains(page + 1));
  }

  /** On at least every other of the pages from the first to the last that have it. */
  private static boolean isDense(TreeSet<Integer> on, int least) {
    return on.size() >= least && on.size() * 2 >= on.last() - on.first() + 1;
  }

  private void spareBarePages() {
    for (int page = 0; page < pages.size(); page++) {
      int all = 0;
      int kept = 0;
      for (int line = 0; line < pages.get(page).size(); line++) {
        int length = text(new Place(page, line)).length();
        all += length;
        kept += isRunning(page, line) ? 0 : length;
      }
      if (kept * KEPT_ONE_OF < all) {
        int bare = page;
        running.removeIf(
            place ->
                place.page() == bare
                    && PageLabel.of(text(place)).stream().noneMatch(PageLabel::isLabel));
      }
    }
  }
}
