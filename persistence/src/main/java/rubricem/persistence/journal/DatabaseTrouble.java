package rubricem.persistence.journal;

import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Says in a paragraph what is wrong with a database and what to do: which file or server it is, in
 * words of ours, with the driver's own in brackets. Never has a password in it. Pure.
 */
final class DatabaseTrouble {
  private static final int MESSAGE_CHARS_MAX = 200;

  private DatabaseTrouble() {}

  static JournalUnusable of(DatabaseSettings settings, SQLException failure) {
    String said = settings.url().startsWith("jdbc:sqlite:")
        ? ofFile(fileOf(settings.url()), failure)
        : ofServer(settings.address(), String.valueOf(failure.getSQLState()));
    return new JournalUnusable(said + " (" + reason(failure) + ")", failure);
  }

  /** Whether the disk of the database is full. */
  static boolean isNoRoom(Exception failure) {
    return failure instanceof SQLException sql
        && ("53100".equals(sql.getSQLState())
            || sql instanceof SQLiteException && codeOf(sql) == SQLiteErrorCode.SQLITE_FULL);
  }

  private static String ofFile(String file, SQLException failure) {
    return switch (codeOf(failure)) {
      case SQLITE_CORRUPT ->
          "The journal " + file + " is damaged. Put a copy of it back that is whole, or save what"
              + " can still be read with: sqlite3 journal.db .recover | sqlite3 saved.db. To begin"
              + " anew, move it away together with its -wal and -shm file, or name another folder"
              + " with --data-dir.";
      case SQLITE_NOTADB ->
          "The file " + file + " is no journal: it is not a database at all, or its beginning is"
              + " damaged. Put a copy of it back, move it away to begin anew, or name another"
              + " folder with --data-dir.";
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
          "The journal " + file + " is locked by another program, and was for 20 s. Close what has"
              + " it open, such as sqlite3 or a backup, and try again.";
      case SQLITE_FULL ->
          "There is no room left on the disk for the journal " + file + ". Free some and give the"
              + " same command again, or name a folder on another disk with --data-dir. What was"
              + " stored is still there.";
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH ->
          "The journal " + file + " cannot be opened for writing. Give this user the right to write"
              + " it, its folder, and the -wal and -shm file beside it, or name another folder with"
              + " --data-dir.";
      case SQLITE_IOERR ->
          "The disk failed on the journal " + file + ". See whether it is full or its file system"
              + " has errors, and whether it is a network folder, which does not keep locks.";
      default ->
          "The journal " + file + " cannot be used. Put a copy of it back, or name another folder"
              + " with --data-dir.";
    };
  }

  private static String ofServer(String address, String state) {
    String database = "the database " + address;
    return switch (state.substring(0, Math.min(2, state.length()))) {
      case "08" -> "There is no connection to " + database
          + ". See whether the server runs, and whether rubricem.database.url names it.";
      case "28" -> "The server refuses to let us into " + database
          + ". Check RUBRICEM_DATABASE_USER and RUBRICEM_DATABASE_PASSWORD.";
      case "3D" -> "There is no such database as " + address
          + ". Create it on the server, or correct rubricem.database.url.";
      case "42" -> "This user may not read or write the journal in " + database
          + ". Grant it the right to create and change tables there.";
      case "53" -> "The server has no room for " + database
          + ": its disk, memory or connections are used up. Free some and try again.";
      case "57" -> "The server of " + database + " is starting or stopping. Try again soon.";
      default -> "The journal in " + database + " cannot be used. Check that it answers and that"
          + " nothing but RubricEM changes its tables.";
    };
  }

  /** The last byte is the kind; what is above it only says more. */
  private static SQLiteErrorCode codeOf(SQLException failure) {
    return SQLiteErrorCode.getErrorCode(failure.getErrorCode() & 0xff);
  }

  private static String fileOf(String url) {
    String path = url.substring("jdbc:sqlite:".length()).replaceFirst("\\?.*", "");
    try {
      return path.startsWith("file:///") ? Path.of(URI.create(path)).toString() : path;
    } catch (IllegalArgumentException e) {
      return path;
    }
  }

  private static String reason(SQLException failure) {
    String line = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return line.substring(0, Math.min(line.length(), MESSAGE_CHARS_MAX));
  }
}
