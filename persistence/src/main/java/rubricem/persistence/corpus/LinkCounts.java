package rubricem.persistence.corpus;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/**
 * How many links an element holds and how many of its letters they are, for every element of a page
 * from one walk over it: lists stand in lists, and none is counted again from each list around it.
 * Says nothing of elements that were added or emptied after the walk.
 */
final class LinkCounts implements NodeVisitor {
  /** What an element holds, with all that is inside. */
  static final class Count {
    private int links;
    private int letters;
    private int linked;

    int links() {
      return links;
    }

    int letters() {
      return letters;
    }

    /** The letters that stand in links. */
    int linked() {
      return linked;
    }
  }

  private final Map<Node, Count> counts = new IdentityHashMap<>();
  private final Deque<Count> open = new ArrayDeque<>();

  private LinkCounts() {}

  static LinkCounts below(Element root) {
    LinkCounts counts = new LinkCounts();
    root.traverse(counts);
    return counts;
  }

  Count of(Element element) {
    return counts.getOrDefault(element, new Count());
  }

  @Override
  public void head(Node node, int depth) {
    if (node instanceof Element) {
      open.push(new Count());
    } else if (node instanceof TextNode text && !open.isEmpty()) {
      open.element().letters += letters(text.text());
    }
  }

  @Override
  public void tail(Node node, int depth) {
    if (!(node instanceof Element element)) {
      return;
    }
    Count count = open.pop();
    counts.put(element, count);
    if (!open.isEmpty()) {
      boolean link = element.normalName().equals("a") && element.hasAttr("href");
      Count around = open.element();
      around.links += count.links + (link ? 1 : 0);
      around.letters += count.letters;
      around.linked += count.linked + (link ? count.letters : 0);
    }
  }

  private static int letters(String text) {
    return (int) text.chars().filter(c -> !Character.isWhitespace(c)).count();
  }
}
