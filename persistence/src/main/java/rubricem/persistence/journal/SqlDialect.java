package rubricem.persistence.journal;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What differs between the two databases. */
enum SqlDialect {
  /**
   * One file beside the data of its node. Its write-ahead log is synced at every commit, other
   * processes read while the node writes, and a process that dies leaves no lock behind.
   */
  SQLITE("sqlite", Optional.empty()),
  /** Nodes that start together create the schema one after the other. */
  POSTGRESQL("postgresql", Optional.of("SELECT pg_advisory_xact_lock(72301)"));

  /** A reader of another process may be in the way of a checkpoint, never for longer. */
  private static final String BUSY_MS = "20000";

  /** A journal is written at its end and read once at a recovery, so a small cache does. */
  private static final String CACHE_KB = "-8192";

  /** What stays of a write-ahead log that had grown. */
  private static final String WAL_BYTES = "16777216";

  private final String folder;
  private final Optional<String> schemaLock;

  SqlDialect(String folder, Optional<String> schemaLock) {
    this.schemaLock = schemaLock;
    this.folder = folder;
  }

  /** The statement that keeps a second opener waiting until the first has made the schema. */
  Optional<String> schemaLock() {
    return schemaLock;
  }

  /** Whether other machines can reach it too. A file is locked with its folder. */
  boolean isShared() {
    return this == POSTGRESQL;
  }

  String schemaFile(int version) {
    return "/schema/" + folder + "/" + version + ".sql";
  }

  /**
   * What a connection is opened with.
   *
   * @param writes whether its transactions are there to write: they take the write lock at their
   *     beginning, because one that reads first may find the database changed when it comes to write
   */
  Properties properties(DatabaseSettings settings, boolean writes) {
    Properties p = new Properties();
    if (this == SQLITE) {
      p.setProperty("busy_timeout", BUSY_MS);
      p.setProperty("cache_size", CACHE_KB);
      p.setProperty("transaction_mode", writes ? "IMMEDIATE" : "DEFERRED");
      if (!settings.readOnly()) {
        p.setProperty("journal_mode", "WAL");
        p.setProperty("synchronous", "FULL");
        p.setProperty("journal_size_limit", WAL_BYTES);
        p.setProperty("wal_autocheckpoint", "0"); // WalCheckpoints does it
      }
    }
    if (!settings.user().isBlank()) {
      p.setProperty("user", settings.user());
      p.setProperty("password", settings.password());
    }
    return p;
  }

  /** Whether the other writes of a group may be stored though this failure was in it. */
  boolean concernsOneWrite(Exception failure) {
    if (failure instanceof SQLiteException sqlite) {
      int primary = sqlite.getResultCode().code & 0xff;
      return primary == SQLiteErrorCode.SQLITE_CONSTRAINT.code
          || primary == SQLiteErrorCode.SQLITE_TOOBIG.code;
    }
    String state =
        failure instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "22";
    return state.startsWith("22") || state.startsWith("23");
  }

  static SqlDialect of(String url) {
    if (url.startsWith("jdbc:sqlite:")) {
      return SQLITE;
    }
    if (url.startsWith("jdbc:postgresql:")) {
      return POSTGRESQL;
    }
    throw new JournalUnusable(
        "rubricem.database.url must begin with jdbc:postgresql: or jdbc:sqlite:");
  }
}
