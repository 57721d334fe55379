package rubricem.app.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import rubricem.app.node.NodeSettings;
import rubricem.persistence.folder.EmbeddedJournal;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalReader;

/** The journal of a data folder, for commands that only read it, beside a running node or not. */
final class StoredJournal implements AutoCloseable {
  private final JournalDatabase database;

  private StoredJournal(JournalDatabase database) {
    this.database = database;
  }

  static StoredJournal open(CommonOptions common) {
    NodeSettings settings = common.settings();
    Config config = common.config();
    if (!config.getString("rubricem.database.url").isBlank()) {
      return new StoredJournal(JournalDatabase.open(DatabaseSettings.of(config)));
    }
    Path folder = settings.dataDir();
    if (!Files.exists(EmbeddedJournal.file(folder))) {
      EmbeddedJournal.refuseOlder(folder);
      throw Failure.usage(
          "There are no episodes in " + folder + " yet. Name another folder with"
              + " --data-dir, or ask something first.");
    }
    return new StoredJournal(
        JournalDatabase.open(
            DatabaseSettings.of(
                config.withValue(
                    "rubricem.database.url",
                    ConfigValueFactory.fromAnyRef(EmbeddedJournal.addressToRead(folder))))));
  }

  JournalReader reader() {
    return new JournalReader(database);
  }

  @Override
  public void close() {
    database.close();
  }
}
