package rubricem.protocol.port;

import java.util.List;
import rubricem.protocol.evidence.Searched;

/**
 * The state of the corpus.
 *
 * @param passages how many passages are indexed
 * @param vectors how many of them have their vector
 * @param unreadable every document that cannot be searched, with its reason
 */
public record CorpusStatus(
    int documents, int documentsTotal, int passages, int vectors, List<Unreadable> unreadable) {

  /** @param reason one sentence: encrypted, scanned without text, truncated, too large, … */
  public record Unreadable(String document, String reason) {}

  /** The same for an episode's record, with at most {@code lines} unreadable documents named. */
  public Searched searched(int lines) {
    return new Searched(
        documents,
        documentsTotal,
        unreadable.stream().limit(lines).map(u -> u.document() + ": " + u.reason()).toList());
  }
}
