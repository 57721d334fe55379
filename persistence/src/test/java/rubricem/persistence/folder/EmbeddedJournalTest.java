package rubricem.persistence.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.journal.JournalWriter;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

class EmbeddedJournalTest {
  private static final EpisodeId ID = new EpisodeId("e1");

  @TempDir Path temp;

  private static JournalDatabase open(String url) {
    return JournalDatabase.open(new DatabaseSettings(url, "", "", 1, 10, 10));
  }

  private static void store(JournalDatabase database, long sequence) {
    try (JournalWriter writer = new JournalWriter(database)) {
      writer
          .store(ID, sequence, List.of(new EpisodeEvent.EpisodeCancelled(Instant.EPOCH)))
          .toCompletableFuture().join();
    }
  }

  private static List<Long> read(String url) {
    List<Long> sequences = new ArrayList<>();
    try (JournalDatabase database = open(url)) {
      new JournalReader(database).read(ID, 0, (sequence, event) -> sequences.add(sequence));
    }
    return sequences;
  }

  @Test
  void any_folder_name_will_do() throws IOException {
    for (String name : List.of("a b", "50%", "q?mode=ro", "ä#1", "x;y=z", "'quoted'")) {
      Path folder = Files.createDirectory(temp.resolve(name));
      try (JournalDatabase database = open(EmbeddedJournal.address(folder))) {
        store(database, 1);
      }
      assertTrue(Files.exists(EmbeddedJournal.file(folder)), name);
      assertEquals(List.of(1L), read(EmbeddedJournal.addressToRead(folder)), name);
    }
  }

  @Test
  void a_folder_that_cannot_be_written_is_read_and_left_as_it_is() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("data"));
    try (JournalDatabase database = open(EmbeddedJournal.address(folder))) {
      store(database, 1);
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assertEquals(List.of(1L), read(EmbeddedJournal.addressInReadOnly(folder)));
      try (var files = Files.list(folder)) {
        assertEquals(1, files.count());
      }
    } finally {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void what_is_in_the_log_is_read_too_where_nothing_can_be_written() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("data"));
    try (JournalDatabase database = open(EmbeddedJournal.address(folder));
        JournalWriter writer = new JournalWriter(database)) {
      writer
          .store(ID, 1, List.of(new EpisodeEvent.EpisodeCancelled(Instant.EPOCH)))
          .toCompletableFuture().join();
      assertTrue(EmbeddedJournal.addressInReadOnly(folder).endsWith("?mode=ro"));
      assertEquals(List.of(1L), read(EmbeddedJournal.addressInReadOnly(folder)));
    }
  }

  @Test
  void a_journal_of_an_early_version_is_not_taken_for_none() throws IOException {
    Files.writeString(temp.resolve("journal.mv.db"), "H:2");
    DataFolder.FolderUnusable refused =
        assertThrows(DataFolder.FolderUnusable.class, () -> EmbeddedJournal.address(temp));
    assertTrue(refused.getMessage().contains("early version"), refused.getMessage());
    assertEquals("H:2", Files.readString(temp.resolve("journal.mv.db")));
  }
}
