package rubricem.actors.extractive;

import java.util.Set;

/**
 * One way to put something: as it is searched for, and the words it is compared by.
 *
 * @param terms stems, stop words left out; may be empty
 */
record Phrasing(String text, Set<String> terms) {
  static Phrasing of(String text) {
    return new Phrasing(text, Words.terms(text));
  }
}
