package rubricem.persistence.corpus;

import java.util.List;
import rubricem.protocol.port.CorpusStatus.Unreadable;

/**
 * How one run of the indexing went.
 *
 * @param documents files that can be searched now, under the roots of this run
 * @param read files read in this run because they were new or changed
 * @param removed files that had left the disk and now left the index
 * @param vectorsPending passages without a vector, because it was stopped or has no embedder
 * @param unreadable every document that cannot be searched, with its reason
 * @param problems what was wrong with the roots themselves
 * @param notes what else a person should know, one sentence each
 */
public record IndexingOutcome(
    int documents,
    int read,
    int removed,
    int passages,
    int vectorsPending,
    boolean stopped,
    List<Unreadable> unreadable,
    List<Problem> problems,
    List<String> notes) {

  /** @param path as the user named it; {@code reason} continues the sentence it begins */
  public record Problem(String path, String reason) {}

  /** True where the roots hold nothing that can be searched. */
  public boolean nothingToSearch() {
    return documents == 0;
  }
}
