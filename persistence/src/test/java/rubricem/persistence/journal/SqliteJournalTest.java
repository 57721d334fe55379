package rubricem.persistence.journal;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The embedded database, in a file as a node keeps it. */
class SqliteJournalTest extends JournalContractTest {
  @TempDir static Path folder;

  @Override
  String url() {
    return "jdbc:sqlite:" + folder.resolve("journal.db").toUri();
  }
}
