package rubricem.persistence.corpus;

import java.util.List;

/**
 * A paragraph, list item, code listing or group of table rows of a document, as extracted.
 *
 * @param text never blank, no blanks at its ends
 * @param section headings above it, outermost first; the term of a definition counts as one
 * @param place page, slide or sheet; empty where the format has none
 * @param anchor what follows the {@code #} in a link to it, encoded; empty: the whole document
 * @param own starts a passage of its own and shares it with no other section
 */
record Block(
    Shape shape, String text, List<String> section, String place, String anchor, boolean own) {
  Block(Shape shape, String text, List<String> section, String place, boolean own) {
    this(shape, text, section, place, "", own);
  }

  /** How a block may be cut when it is too long. */
  enum Shape {
    /** Between sentences. */
    PROSE,
    /** Between lines. */
    LINES,
    /** A heading: text of the document, but in no passage. */
    HEADING,
    /** The term of a definition: a heading that the passage below it begins with. */
    TERM
  }
}
