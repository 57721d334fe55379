package rubricem.protocol.evidence;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search could look at.
 *
 * @param documents how many documents were searchable
 * @param documentsTotal how many there are
 * @param unreadable those that could not be searched, with the reason, as lines; bounded
 * @param unread the same by kind, so that a report can say it in its own language; empty where the
 *     record is of an older program
 */
public record Searched(
    int documents,
    int documentsTotal,
    List<String> unreadable,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Unread> unread) {
  public static final Searched NOTHING = new Searched(0, 0, List.of());

  /** @param detail what the kind's sentence names: a limit, a type; may be empty */
  public record Unread(String document, UnreadableKind kind, String detail) {
    public String line() {
      return document + ": " + kind.reason(detail);
    }
  }

  @JsonCreator
  public Searched(
      int documents, int documentsTotal, List<String> unreadable, @Nullable List<Unread> unread) {
    this.documents = documents;
    this.documentsTotal = documentsTotal;
    this.unreadable = unreadable;
    this.unread = unread == null ? List.of() : unread;
  }

  public Searched(int documents, int documentsTotal, List<String> unreadable) {
    this(documents, documentsTotal, unreadable, List.of());
  }
}
