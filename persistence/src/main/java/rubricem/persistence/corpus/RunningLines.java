package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Finds the running heads, running feet and page numbers of a document: lines at the edge of pages
 * that stand there again and again, alike but for a number that counts the pages. A number that
 * does not count them makes a line another one, so that rows of a table stay text. What stands on
 * a few pages only stays text as well, unless most pages have such a line there. Pure.
 */
final class RunningLines {
  /** Lines at the top and at the bottom of a page that may be running. */
  private static final int EDGE_LINES = 3;

  /** Below this many pages a repeated line may well be text. */
  private static final int PAGES_MIN = 3;

  /** A counted line may be missing on the first page of a chapter, and on each other page. */
  private static final int COUNTED_ON_ONE_OF = 3;

  private static final Pattern NUMBER = Pattern.compile("(?<![\\p{L}\\d])\\d{1,6}(?![\\p{L}\\d])");
  private static final Pattern ROMAN =
      Pattern.compile("(?=.)c?(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", Pattern.CASE_INSENSITIVE);
  private static final Pattern LETTER = Pattern.compile("\\p{L}");

  private enum Edge {
    TOP,
    BOTTOM
  }

  /** @param counted holds a number that counts pages; the shape has the difference to them */
  private record Shape(Edge edge, String text, boolean counted) {}

  private final List<List<String>> pages;
  private final Map<Shape, TreeSet<Integer>> seen = new HashMap<>();
  private final Set<Shape> running = new HashSet<>();
  private final Set<Shape> outermost = new HashSet<>();

  private RunningLines(List<List<String>> pages) {
    this.pages = pages;
  }

  /** @param pages the lines of each page in reading order */
  static RunningLines of(List<List<String>> pages) {
    RunningLines lines = new RunningLines(pages);
    if (pages.size() >= PAGES_MIN) {
      lines.collect();
      lines.judge();
      lines.judgeOutermost(Edge.TOP);
      lines.judgeOutermost(Edge.BOTTOM);
    }
    return lines;
  }

  boolean isRunning(int page, int line) {
    for (Shape shape : shapes(page, line)) {
      if (running.contains(shape)
          || outermost.contains(shape) && line == outer(page, shape.edge())) {
        return true;
      }
    }
    return false;
  }

  private void collect() {
    for (int page = 0; page < pages.size(); page++) {
      for (int line = 0; line < pages.get(page).size(); line++) {
        for (Shape shape : shapes(page, line)) {
          seen.computeIfAbsent(shape, s -> new TreeSet<>()).add(page);
        }
      }
    }
  }

  private void judge() {
    seen.forEach(
        (shape, on) -> {
          if (on.size() >= PAGES_MIN && (shape.counted() ? isDense(on) : isMost(on.size()))) {
            running.add(shape);
          }
        });
  }

  /** Where most pages have a recurring line outermost, those are heads that change by chapter. */
  private void judgeOutermost(Edge edge) {
    Set<Shape> recurring = new HashSet<>();
    int with = 0;
    for (int page = 0; page < pages.size(); page++) {
      int outer = outer(page, edge);
      boolean any = false;
      for (Shape shape : outer < 0 ? List.<Shape>of() : shapes(page, outer)) {
        if (shape.edge() == edge && seen.get(shape).size() >= PAGES_MIN) {
          any = true;
          recurring.add(shape);
        }
      }
      with += any ? 1 : 0;
    }
    if (isMost(with)) {
      outermost.addAll(recurring);
    }
  }

  private boolean isMost(int count) {
    return count >= Math.max(PAGES_MIN, (pages.size() + 1) / 2);
  }

  private static boolean isDense(TreeSet<Integer> on) {
    return on.size() * COUNTED_ON_ONE_OF >= on.last() - on.first() + 1;
  }

  /** The outermost line that is not running by itself, such as a page number; -1: there is none. */
  private int outer(int page, Edge edge) {
    int lines = pages.get(page).size();
    for (int i = 0; i < Math.min(EDGE_LINES, lines); i++) {
      int line = edge == Edge.TOP ? i : lines - 1 - i;
      if (shapes(page, line).stream().noneMatch(running::contains)) {
        return line;
      }
    }
    return -1;
  }

  private List<Shape> shapes(int page, int line) {
    List<Shape> shapes = new ArrayList<>();
    int lines = pages.get(page).size();
    String text = pages.get(page).get(line).strip().replaceAll("\\s+", " ");
    if (line < EDGE_LINES) {
      shapes(Edge.TOP, page, text, shapes);
    }
    if (line >= lines - EDGE_LINES) {
      shapes(Edge.BOTTOM, page, text, shapes);
    }
    return shapes;
  }

  private static void shapes(Edge edge, int page, String text, List<Shape> shapes) {
    if (LETTER.matcher(text).find()) {
      shapes.add(new Shape(edge, text, false));
    }
    for (MatchResult number : NUMBER.matcher(text).results().toList()) {
      int difference = Integer.parseInt(number.group()) - page;
      shapes.add(
          new Shape(
              edge,
              text.substring(0, number.start()) + "#" + difference + "#"
                  + text.substring(number.end()),
              true));
    }
    if (ROMAN.matcher(text).matches()) {
      shapes.add(new Shape(edge, "roman #" + (roman(text) - page) + "#", true));
    }
  }

  private static int roman(String text) {
    int sum = 0;
    int before = 0;
    for (char letter : text.toLowerCase(Locale.ROOT).toCharArray()) {
      int value =
          switch (letter) {
            case 'i' -> 1;
            case 'v' -> 5;
            case 'x' -> 10;
            case 'l' -> 50;
            default -> 100;
          };
      sum += value > before ? value - 2 * before : value;
      before = value;
    }
    return sum;
  }
}
