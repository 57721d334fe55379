package rubricem.app.cli;

import java.util.List;
import java.util.stream.Collectors;
import rubricem.persistence.corpus.IndexingOutcome;
import rubricem.protocol.port.CorpusStatus;

/** Says which documents could not be read, and why. */
final class Unreadable {
  private static final int NAMED = 20;

  /** Beside a start that went well a few are enough. */
  private static final int NAMED_AT_START = 5;

  private Unreadable() {}

  /** Why there is nothing to search, in one paragraph. */
  static String nothing(IndexingOutcome outcome) {
    StringBuilder text = new StringBuilder("No document could be read.");
    outcome.problems().forEach(p -> text.append(" ").append(p.path()).append(" ").append(p.reason())
        .append("."));
    outcome.unreadable().stream()
        .limit(NAMED)
        .forEach(u -> text.append("\n  ").append(u.document()).append(": ").append(u.reason()));
    if (outcome.unreadable().size() > NAMED) {
      text.append("\n  and ").append(outcome.unreadable().size() - NAMED).append(" more");
    }
    return text.toString();
  }

  /** How many could not be read and the first of them; empty: every document was read. */
  static String atStart(List<CorpusStatus.Unreadable> unreadable) {
    if (unreadable.isEmpty()) {
      return "";
    }
    String named =
        unreadable.stream()
            .limit(NAMED_AT_START)
            .map(u -> "\n    " + u.document() + ": " + u.reason())
            .collect(Collectors.joining());
    int more = unreadable.size() - NAMED_AT_START;
    return "  " + Words.count(unreadable.size(), "document") + " could not be read:" + named
        + (more > 0 ? "\n    and " + more + " more; ./rubricem index PATH lists all" : "");
  }
}
