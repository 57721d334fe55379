package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rubricem.persistence.folder.EmbeddedJournal;

class StorageProbeTest {
  @TempDir private Path folder;

  @Test
  void R44_a_data_folder_that_is_moved_or_emptied_is_noticed_and_not_named() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.createFile(EmbeddedJournal.file(data));
    assertEquals("", StorageProbe.trouble(data, true));
    Files.move(data, folder.resolve("elsewhere"));
    String gone = StorageProbe.trouble(data, true);
    assertTrue(gone.contains("gone or was moved"), gone);
    assertFalse(gone.contains(folder.toString()), gone);
    Files.createDirectory(data);
    assertEquals(gone, StorageProbe.trouble(data, true));
    assertEquals("", StorageProbe.trouble(data, false));
  }
}
