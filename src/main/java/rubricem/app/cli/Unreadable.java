package rubricem.app.cli;

import rubricem.persistence.corpus.IndexingOutcome;

/** Says which documents could not be read, and why. */
final class Unreadable {
  private static final int NAMED = 20;

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
}
