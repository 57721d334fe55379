package rubricem.protocol.evidence;

import java.util.List;

/**
 * What a search could look at.
 *
 * @param documents how many documents were searchable
 * @param documentsTotal how many there are
 * @param unreadable those that could not be searched, with the reason, as lines; bounded
 */
public record Searched(int documents, int documentsTotal, List<String> unreadable) {
  public static final Searched NOTHING = new Searched(0, 0, List.of());
}
