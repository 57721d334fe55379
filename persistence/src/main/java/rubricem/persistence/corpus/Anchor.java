package rubricem.persistence.corpus;

import java.nio.charset.StandardCharsets;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * Where a link finds a heading: its own id or name, else the id of the section that it opens.
 * Encoded as it stands behind the {@code #} of an address.
 */
final class Anchor {
  private static final String NAMED = "[id], a[name]";
  private static final String HEADINGS = "h1, h2, h3, h4, h5, h6";

  /** A section wraps its heading in a few boxes at most. */
  private static final int BOXES_MAX = 6;

  /** A longer id is none that anybody links to. */
  private static final int CHARS_MAX = 200;

  /** Stands in an address as it is, and never closes a link in Markdown. */
  private static final String PLAIN = "-._~:";

  private Anchor() {}

  /** Of a heading of a section; empty where there is none. */
  static String of(Element heading) {
    String own = own(heading);
    Element before = heading.previousElementSibling();
    if (own.isEmpty() && before != null && before.is("a") && !before.hasText()) {
      own = name(before);
    }
    Element box = heading.parent();
    for (int i = 0; own.isEmpty() && i < BOXES_MAX && opens(box, heading); i++) {
      own = name(box);
      box = box.parent();
    }
    return encoded(own);
  }

  /** Of a term: a list around it is not its place. */
  static String ofTerm(Element term) {
    return encoded(own(term));
  }

  /** Of a table: what is in it is not its place. */
  static String ofTable(Element table) {
    return encoded(name(table));
  }

  private static String own(Element element) {
    Element named = element.selectFirst(NAMED);
    return named == null ? "" : name(named);
  }

  private static boolean opens(@Nullable Element box, Element heading) {
    return box != null && !box.is("body") && box.selectFirst(HEADINGS) == heading;
  }

  private static String name(Element element) {
    return element.id().isBlank() ? element.attr("name").strip() : element.id().strip();
  }

  private static String encoded(String id) {
    if (id.length() > CHARS_MAX) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
              || b > 0 && PLAIN.indexOf(b) >= 0;
      out.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b));
    }
    return out.toString();
  }
}
