package rubricem.persistence.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;

/** What a user reads when the database cannot be used: one paragraph, which file, what to do. */
class DatabaseTroubleTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("journal.db");
  }

  private DatabaseSettings settings(String options) {
    return new DatabaseSettings("jdbc:sqlite:" + file().toUri() + options, "", "", 1, 10, 10);
  }

  private void assertClear(String said, String... parts) {
    for (String part : parts) {
      assertTrue(said.contains(part), part + " is not in: " + said);
    }
    assertFalse(said.contains("DatabaseSettings") || said.contains("jdbc:sqlite"), said);
    assertFalse(said.contains("\n") || said.contains("Exception"), said);
  }

  private String refused() {
    return assertThrows(JournalUnusable.class, () -> JournalDatabase.open(settings("")).close())
        .getMessage();
  }

  @Test
  void a_damaged_journal_says_how_to_save_it() throws Exception {
    JournalDatabase.open(settings("")).close();
    byte[] junk = new byte[8_000];
    java.util.Arrays.fill(junk, (byte) 0x5a);
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.seek(100);
      raw.write(junk);
    }
    assertClear(refused(), "journal " + file() + " is damaged", ".recover", "--data-dir", "-wal");
  }

  @Test
  void a_file_that_is_no_database_is_named() throws Exception {
    Files.writeString(file(), "this is no database, but it is long enough to look at".repeat(20));
    assertClear(refused(), "file " + file() + " is no journal", "move it away", "--data-dir");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SQLITE_BUSY | locked by another program",
        "SQLITE_LOCKED | locked by another program",
        "SQLITE_FULL | no room left on the disk",
        "SQLITE_READONLY | Give this user the right",
        "SQLITE_READONLY_DIRECTORY | Give this user the right",
        "SQLITE_CANTOPEN | Give this user the right",
        "SQLITE_IOERR_WRITE | The disk failed",
        "SQLITE_CORRUPT_VTAB | is damaged",
        "SQLITE_ERROR | cannot be used",
      })
  void each_failure_of_a_file_says_what_to_do(SQLiteErrorCode code, String part) {
    SQLException failure = new SQLException("[" + code + "] so it is", null, code.code & 0xff);
    assertClear(
        DatabaseTrouble.of(settings("?mode=ro"), failure).getMessage(), part, file().toString(),
        "so it is");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "08001 | no connection", "28P01 | RUBRICEM_DATABASE_PASSWORD", "3D000 | no such database",
        "42501 | may not read or write", "53100 | no room", "57P03 | starting or stopping",
        "XX000 | cannot be used",
      })
  void each_failure_of_a_server_says_what_to_do_and_no_password(String state, String part) {
    DatabaseSettings settings =
        new DatabaseSettings(
            "jdbc:postgresql://me:secret@db.example/r?password=secret", "me", "secret", 1, 1, 1);
    String said = DatabaseTrouble.of(settings, new SQLException("no", state)).getMessage();
    assertClear(said, part, "db.example/r");
    assertFalse(said.contains("secret"), said);
    assertEquals(1, said.lines().count());
  }
}
