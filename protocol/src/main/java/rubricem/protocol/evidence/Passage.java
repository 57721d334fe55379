package rubricem.protocol.evidence;

import java.util.Optional;

/**
 * A piece of a document as a tool returned it.
 *
 * @param document the document's stable name: a path relative to its corpus root, or a URL
 * @param title the document's title, with its section where it has one
 * @param url where a reader can open it; a {@code file:} URI for local documents
 * @param position where in the document, for people: a page, a section, a sheet; may be empty
 * @param from first character of the passage in the document's extracted text
 * @param to one past its last character
 * @param text the passage exactly as stored; what is quoted stands in it verbatim
 * @param score the tool's own measure, higher is better; comparable within one call only
 */
public record Passage(
    String document,
    String title,
    String url,
    String position,
    int from,
    int to,
    String text,
    double score,
    Optional<String> note) {

  /** The same stretch of the same document, whoever found it. */
  public String key() {
    return document + "#" + from + "-" + to;
  }
}
