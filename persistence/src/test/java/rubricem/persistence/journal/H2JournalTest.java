package rubricem.persistence.journal;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The embedded database, in a file as a node keeps it. */
class H2JournalTest extends JournalContractTest {
  @TempDir static Path folder;

  @Override
  String url() {
    return "jdbc:h2:file:" + folder.resolve("journal")
        + ";WRITE_DELAY=10000;AUTO_SERVER=TRUE;LOCK_TIMEOUT=20000";
  }
}
