package rubricem.persistence.corpus;

import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.xml.sax.Attributes;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Builds the tree of a page from what a parser reports, without writing it out and parsing it
 * again. Stops at the bound of characters; nesting beyond a sane depth is flattened.
 */
final class PageTree extends DefaultHandler {
  private static final int DEPTH_MAX = 200;

  private final int charsMax;
  private final Element root = new Element("body");
  private Element current = root;
  private int depth;
  private int flattened;
  private long chars;

  PageTree(int charsMax) {
    this.charsMax = charsMax;
  }

  Element root() {
    return root;
  }

  @Override
  public void startElement(String uri, String local, String name, Attributes attributes) {
    if (depth >= DEPTH_MAX) {
      flattened++;
      return;
    }
    depth++;
    current = current.appendElement(local.isEmpty() ? name : local);
    for (int i = 0; i < attributes.getLength(); i++) {
      String key = attributes.getLocalName(i);
      if (key.equals("class") || key.equals("style") || key.equals("href")) {
        current.attr(key, attributes.getValue(i));
      }
    }
  }

  @Override
  public void endElement(String uri, String local, String name) {
    if (flattened > 0) {
      flattened--;
      return;
    }
    Element parent = current.parent();
    if (parent != null) {
      current = parent;
      depth--;
    }
  }

  @Override
  public void characters(char[] text, int start, int length) {
    chars += length;
    if (chars > charsMax) {
      throw new BlockList.TooMuchText(charsMax);
    }
    current.appendChild(new TextNode(new String(text, start, length)));
  }

  @Override
  public void ignorableWhitespace(char[] text, int start, int length) {
    characters(text, start, length);
  }
}
