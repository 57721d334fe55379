package rubricem.persistence.journal;

import java.sql.SQLException;
import rubricem.protocol.port.StorageUnavailable;

/** The journal cannot be opened or read; the message says what to do. */
public final class JournalUnusable extends StorageUnavailable {
  private static final int MESSAGE_CHARS_MAX = 300;

  private final boolean noRoom;

  public JournalUnusable(String message) {
    super(message);
    noRoom = false;
  }

  public JournalUnusable(String message, Throwable cause) {
    super(message, cause);
    noRoom = false;
  }

  private JournalUnusable(String message, boolean noRoom) {
    super(message);
    this.noRoom = noRoom;
  }

  /** Whether a write failed because the disk under the database is full. */
  public boolean noRoom() {
    return noRoom;
  }

  /** Without the statement, which some drivers quote whole, payload and all. */
  static JournalUnusable write(Exception failure) {
    if (failure instanceof JournalUnusable told) {
      return told;
    }
    Throwable told = failure;
    String state = "";
    if (failure instanceof SQLException sql) {
      state = " (SQL state " + sql.getSQLState() + ")";
      told = sql.getNextException() == null ? sql : sql.getNextException();
    }
    String message = String.valueOf(told.getMessage()).lines().findFirst().orElse("");
    return new JournalUnusable(
        "A write to the journal failed" + state + ": "
            + message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)),
        DatabaseTrouble.isNoRoom(failure));
  }
}
