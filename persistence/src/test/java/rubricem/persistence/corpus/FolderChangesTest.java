package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderChangesTest {
  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();

  private static boolean looks(FolderChanges changes) throws IOException {
    boolean wanted = changes.mayBe();
    changes.looked();
    return wanted;
  }

  @Test
  void a_change_is_seen_and_one_in_its_shadow_is_not_missed() throws IOException {
    FolderChanges changes = new FolderChanges(folder, nanos::get);
    assertTrue(looks(changes));
    assertTrue(looks(changes), "another change now may leave the time as it is");
    nanos.addAndGet(Duration.ofSeconds(3).toNanos());
    assertTrue(looks(changes), "the last one that could hide");
    assertFalse(looks(changes));
    Files.setLastModifiedTime(folder, FileTime.fromMillis(1));
    assertTrue(looks(changes));
    assertTrue(looks(changes));
  }

  @Test
  void a_folder_that_is_gone_is_a_change_once() throws IOException {
    FolderChanges changes = new FolderChanges(folder.resolve("gone"), nanos::get);
    assertTrue(looks(changes));
    nanos.addAndGet(Duration.ofSeconds(3).toNanos());
    assertTrue(looks(changes));
    assertFalse(looks(changes));
  }

  @Test
  void a_look_that_fails_is_wanted_again() throws IOException {
    FolderChanges changes = new FolderChanges(folder, nanos::get);
    assertTrue(changes.mayBe());
    nanos.addAndGet(Duration.ofSeconds(3).toNanos());
    assertTrue(changes.mayBe());
    assertTrue(changes.mayBe(), "nobody has seen what is there");
    changes.looked();
    assertFalse(changes.mayBe());
  }
}
