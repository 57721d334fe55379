package rubricem.persistence.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.persistence.folder.DataFolder.FolderUnusable;

class DataFolderTest {
  @TempDir Path parent;

  @Test
  void a_folder_is_made_and_held_by_one() throws IOException {
    Path path = parent.resolve("a/b");
    try (DataFolder held = DataFolder.lock(path)) {
      assertTrue(Files.isDirectory(held.path()));
      FolderUnusable second =
          assertThrows(FolderUnusable.class, () -> DataFolder.lock(path.resolve("../b")));
      assertTrue(second.getMessage().contains("Another RubricEM process"));
      assertTrue(second.getMessage().contains("--data-dir"));
    }
    DataFolder.lock(path).close();
  }

  @Test
  void a_file_in_the_way_is_named() throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "x");
    for (Path path : List.of(file, file.resolve("below"))) {
      FolderUnusable refused =
          assertThrows(FolderUnusable.class, () -> DataFolder.lock(path));
      assertTrue(refused.getMessage().contains(path.toString()), refused.getMessage());
    }
  }

  @Test
  void a_lock_that_cannot_be_made_is_explained() throws IOException {
    Files.createDirectories(parent.resolve("c/node.lock"));
    FolderUnusable refused =
        assertThrows(FolderUnusable.class, () -> DataFolder.lock(parent.resolve("c")));
    assertTrue(refused.getMessage().contains("cannot be locked"));
  }

  @Test
  void corpus_roots_are_kept_in_order_once_each_and_those_that_are_gone_left_out()
      throws IOException {
    Path one = Files.createDirectory(parent.resolve("one \u00e4"));
    Path two = Files.createDirectory(parent.resolve("two"));
    CorpusRoots roots = CorpusRoots.of(parent);
    assertEquals(List.of(), roots.list());
    roots.add(List.of(two, one));
    roots.add(List.of(one));
    assertEquals(List.of(two, one), CorpusRoots.of(parent).list());
    Files.delete(two);
    assertEquals(List.of(one), roots.list());
  }
}
