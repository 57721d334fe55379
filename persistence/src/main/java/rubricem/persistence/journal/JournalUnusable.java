package rubricem.persistence.journal;

/** The journal cannot be opened or read; the message says what to do. */
public final class JournalUnusable extends RuntimeException {
  public JournalUnusable(String message) {
    super(message);
  }

  public JournalUnusable(String message, Throwable cause) {
    super(message, cause);
  }
}
