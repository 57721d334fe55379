package rubricem.persistence.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A data folder may lie among a user's documents, and documents in a data folder. */
class DataFolderTest {
  @TempDir Path scratch;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.lock", "corpus-roots.txt", "rubricem.log", "rubricem.log.1", "journal.mv.db",
        "journal.lock.db", "corpus/format-2/_1.cfs", "corpus/format-2/_2_Lucene103_0.doc", "corpus/format-2/segments_2",
        "corpus/format-2/write.lock",
      })
  void what_we_wrote_is_no_document(String name) {
    assertFalse(DataFolder.isOurs(scratch.resolve(name)), "no data folder yet");
    Path folder = DataFolder.writable(scratch);
    assertTrue(DataFolder.isOurs(folder.resolve(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "letter.md", "corpus/letter.md", "my journal.txt", "deep/node.lock", "deep/corpus/format-2/_1.cfs", "corpus/_1.cfs",
        "corpus/_notes.txt.md", "rubricem.md",
      })
  void what_lies_beside_it_is_one(String name) {
    assertFalse(DataFolder.isOurs(DataFolder.writable(scratch).resolve(name)));
  }

  @Test
  void a_file_in_the_way_is_left_as_it_is() throws Exception {
    Path file = Files.writeString(scratch.resolve("data"), "mine");
    var refused =
        assertThrows(DataFolder.FolderUnusable.class, () -> DataFolder.writable(file));
    assertTrue(refused.getMessage().contains("there is a file of that name"));
    assertEquals("mine", Files.readString(file));
  }

  @Test
  void whether_a_node_runs_on_it_can_be_told_without_taking_its_place() throws Exception {
    assertFalse(DataFolder.isInUse(scratch));
    try (DataFolder node = DataFolder.lock(scratch)) {
      assertTrue(DataFolder.isInUse(node.path()));
    }
    assertFalse(DataFolder.isInUse(scratch));
    try (DataFolder again = DataFolder.lock(scratch)) {
      assertTrue(DataFolder.isInUse(again.path()));
    }
  }
}
