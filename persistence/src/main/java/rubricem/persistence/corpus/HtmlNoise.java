package rubricem.persistence.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;
import org.jsoup.select.NodeFilter;

/**
 * Takes out of a page what is no text of it: navigation, repeated headers and footers, tables of
 * contents, lists of links, scripts, and everything that a browser would not show. Counts the
 * hidden stretches, because hidden text on a page is worth a warning.
 */
final class HtmlNoise {
  private static final String NEVER_TEXT =
      "script, style, noscript, template, svg, iframe, object, button, select, input, textarea,"
          + " nav, head, [role=navigation], [role=banner], [role=contentinfo], [role=search],"
          + " body > header, body > footer, body > div > header, body > div > footer";

  private static final Set<String> NAVIGATION =
      Set.of(
          "nav", "navbar", "navheader", "navfooter", "navigation", "toc", "menu", "sidebar",
          "breadcrumb", "breadcrumbs", "site-header", "site-footer", "page-header",
          "page-footer", "pagination", "pager", "skip-link", "sphinxsidebar", "related",
          "mw-editsection", "navbox", "cookie-banner", "cookie-consent", "headerlink");

  private static final Pattern HIDING =
      Pattern.compile(
          "display\\s*:\\s*none|visibility\\s*:\\s*hidden|font-size\\s*:\\s*0+(px|pt|em|rem|%)?"
              + "\\s*(;|$|!)|opacity\\s*:\\s*0*\\.?0*\\s*(;|$|!)");

  private static final Set<String> LISTS = Set.of("ul", "ol", "dl", "table", "p");

  private static final int LINKS_MIN = 5;
  private static final double LINKED_SHARE = 0.85;
  private static final double WORDS_PER_LINK_MAX = 8;

  private HtmlNoise() {}

  /** Removes the noise below {@code body} and returns how many hidden stretches held text. */
  static int remove(Element body) {
    int hidden = removeHidden(body);
    body.select(NEVER_TEXT).remove();
    List<Element> navigation = new ArrayList<>();
    for (Element element : body.select("[class], [id]")) {
      if (isNavigation(element)) {
        navigation.add(element);
      }
    }
    navigation.forEach(Element::remove);
    removeLinkLists(body);
    removeRegisters(body);
    return hidden;
  }

  private static int removeHidden(Element body) {
    int hidden = 0;
    Elements found = body.select("[hidden], [aria-hidden=true], [style]");
    for (Element element : found) {
      if (hides(element) && element != body) {
        hidden += element.hasText() ? 1 : 0;
        element.remove();
      }
    }
    return hidden;
  }

  /** Whether a browser or a screen reader passes over it. */
  static boolean hides(Element element) {
    return element.hasAttr("hidden")
        || element.attr("aria-hidden").equals("true")
        || HIDING.matcher(element.attr("style").toLowerCase(Locale.ROOT)).find();
  }

  private static boolean isNavigation(Element element) {
    String tag = element.normalName();
    if (tag.equals("body") || tag.equals("main") || tag.equals("article")) {
      return false;
    }
    for (String name : element.classNames()) {
      if (NAVIGATION.contains(name.toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return NAVIGATION.contains(element.id().toLowerCase(Locale.ROOT));
  }

  /** What stands in a list that goes is not looked at. */
  private static void removeLinkLists(Element body) {
    LinkCounts counts = LinkCounts.below(body);
    NodeFilter lists =
        (node, depth) ->
            node instanceof Element element && isList(element) && isLinkList(element, counts)
                ? NodeFilter.FilterResult.REMOVE
                : NodeFilter.FilterResult.CONTINUE;
    body.filter(lists);
  }

  private static boolean isList(Element element) {
    return LISTS.contains(element.normalName())
        || element.normalName().equals("div") && element.hasClass("index");
  }

  /** The alphabetical index of a book: each word of it stands elsewhere, with its text. */
  private static void removeRegisters(Element body) {
    for (Element register : body.select(".index, .indexdiv, .genindex, .indextable")) {
      int links = register.select("a[href]").size();
      if (links >= LINKS_MIN && Words.count(register.text()) <= WORDS_PER_LINK_MAX * links) {
        register.remove();
      }
    }
  }

  private static boolean isLinkList(Element list, LinkCounts counts) {
    LinkCounts.Count count = counts.of(list);
    return count.links() >= LINKS_MIN
        && count.linked() >= LINKED_SHARE * count.letters()
        && Words.count(list.text()) <= WORDS_PER_LINK_MAX * count.links();
  }
}
