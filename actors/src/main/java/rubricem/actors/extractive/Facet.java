package rubricem.actors.extractive;

import java.util.Set;

/**
 * One thing a question asks.
 *
 * @param text in the words of the question, on one line
 * @param terms what its passages are compared by; never empty
 * @param wanted what kind of answer it wants
 */
record Facet(String text, Set<String> terms, Wanted wanted) {
  /** What an answer has to hold beside the right words. */
  enum Wanted {
    ANYTHING,
    /** A number, a size, a time. */
    AMOUNT,
    /** The value something has when nobody set it. */
    DEFAULT
  }
}
