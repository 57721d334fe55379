package rubricem.actors.extractive;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One thing a question asks.
 *
 * @param text in the words of the question, on one line
 * @param asked the same as it was asked: for a side of a comparison the whole comparison
 * @param phrasings the same with the words it leans on, as asked and, where the question is not in
 *     English, in English; never empty
 * @param own the same without the words it leans on; as many
 * @param names what it names, and where it points back what it leans on names; see
 *     {@link Question#names}
 * @param wanted what kind of answer it wants
 * @param before the part it leans on, where its words do not say that it does: then only if both
 *     are of the same subject
 */
record Facet(
    String text, String asked, List<Phrasing> phrasings, List<Phrasing> own,
    Set<String> names, Wanted wanted, Optional<String> before) {

  /** As somebody asks who asks nothing else; the mark tells the model that it is a question. */
  String asAlone() {
    return text + "?";
  }

  /** What an answer has to hold beside the right words. */
  enum Wanted {
    ANYTHING,
    /** A number, a size, a time. */
    AMOUNT,
    /** The day or the year of something that has happened. */
    DATE,
    /** The value something has when nobody set it. */
    DEFAULT
  }
}
