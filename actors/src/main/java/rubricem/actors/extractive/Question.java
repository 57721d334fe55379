package rubricem.actors.extractive;

import java.util.List;
import java.util.Set;
import rubricem.protocol.report.ReportLanguage;

/**
 * A question as this policy reads it.
 *
 * @param text cleaned, on one line and bounded; may be blank
 * @param phrasings the whole question as asked and, where it is not in English, in English
 * @param facets in the order asked; empty where the text holds no word that means something
 * @param names words that name something of their own (acronyms, product names, identifiers): an
 *     answer that knows none of them is about something else
 * @param unknown words in another language than English that could not be put in English
 */
record Question(
    String text,
    ReportLanguage language,
    List<Phrasing> phrasings,
    List<Facet> facets,
    Set<String> names,
    List<String> unknown) {

  boolean says(String term) {
    return phrasings.stream().anyMatch(p -> p.terms().contains(term));
  }
}
