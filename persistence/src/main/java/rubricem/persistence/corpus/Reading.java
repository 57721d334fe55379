package rubricem.persistence.corpus;

import java.util.List;
import rubricem.protocol.evidence.UnreadableKind;

/** What reading a file gave. */
sealed interface Reading {
  /** @param notes what a reader should know about the extraction, one sentence each */
  record Text(String title, List<Block> blocks, List<String> notes) implements Reading {}

  /** @param detail what the kind's sentence names; may be empty */
  record Unreadable(UnreadableKind kind, String detail) implements Reading {
    Unreadable(UnreadableKind kind) {
      this(kind, "");
    }

    String reason() {
      return kind.reason(detail);
    }
  }

  /** Part of a page's presentation, such as a style sheet: neither read nor listed. */
  record Asset() implements Reading {}
}
