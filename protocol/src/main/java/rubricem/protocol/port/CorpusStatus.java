package rubricem.protocol.port;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * The state of the corpus.
 *
 * @param passages how many passages are indexed
 * @param vectors how many of them have their vector
 * @param unreadable every document that cannot be searched, with its reason
 */
public record CorpusStatus(
    int documents, int documentsTotal, int passages, int vectors, List<Unreadable> unreadable) {

  /** @param detail what the kind's sentence names: a limit, a type; may be empty */
  public record Unreadable(String document, UnreadableKind kind, String detail) {
    /** One sentence in English. */
    @JsonProperty
    public String reason() {
      return kind.reason(detail);
    }
  }

  /** The same for an episode's record, with at most {@code lines} unreadable documents named. */
  public Searched searched(int lines) {
    List<Searched.Unread> unread =
        unreadable.stream()
            .limit(lines)
            .map(u -> new Searched.Unread(u.document(), u.kind(), u.detail()))
            .toList();
    return new Searched(
        documents, documentsTotal, unread.stream().map(Searched.Unread::line).toList(), unread);
  }
}
