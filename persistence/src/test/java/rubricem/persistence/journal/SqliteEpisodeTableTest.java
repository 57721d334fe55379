package rubricem.persistence.journal;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteEpisodeTableTest extends EpisodeTableContractTest {
  @TempDir Path folder;

  @Override
  DatabaseSettings settings() {
    return new DatabaseSettings(
        "jdbc:sqlite:" + folder.resolve("journal.db").toUri(), "", "", 2, 1_000, 100);
  }
}
