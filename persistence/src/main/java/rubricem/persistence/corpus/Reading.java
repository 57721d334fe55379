package rubricem.persistence.corpus;

import java.util.List;

/** What reading a file gave. */
sealed interface Reading {
  /** @param notes what a reader should know about the extraction, one sentence each */
  record Text(String title, List<Block> blocks, List<String> notes) implements Reading {}

  /** @param reason one sentence for a person */
  record Unreadable(String reason) implements Reading {}

  /** Part of a page's presentation, such as a style sheet: neither read nor listed. */
  record Asset() implements Reading {}
}
