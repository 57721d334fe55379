package rubricem.app.cli;

import java.nio.file.Files;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.persistence.folder.DataFolder;
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
    if (common.config().getString("rubricem.database.url").isBlank()
        && !Files.exists(settings.dataDir().resolve(DataFolder.JOURNAL))) {
      DataFolder.refuseOlderJournal(settings.dataDir());
      throw Failure.usage(
          "There are no episodes in " + settings.dataDir() + " yet. Name another folder with"
              + " --data-dir, or ask something first.");
    }
    return new StoredJournal(
        JournalDatabase.open(
            DatabaseSettings.of(ResearchNode.withJournal(common.config(), settings))));
  }

  JournalReader reader() {
    return new JournalReader(database);
  }

  @Override
  public void close() {
    database.close();
  }
}
