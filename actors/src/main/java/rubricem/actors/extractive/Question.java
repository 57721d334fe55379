package rubricem.actors.extractive;

import java.util.List;
import java.util.Set;
import rubricem.protocol.report.ReportLanguage;

/**
 * A question as this policy reads it.
 *
 * @param text cleaned, on one line and bounded; may be blank
 * @param facets in the order asked; empty where the text holds no word that means something
 * @param terms of the whole question
 * @param names words that name something of their own (acronyms, product names, identifiers): an
 *     answer that knows none of them is about something else
 */
record Question(
    String text,
    ReportLanguage language,
    List<Facet> facets,
    Set<String> terms,
    Set<String> names) {}
