package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageWatchTest {
  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> told = new ArrayList<>();

  private StorageWatch watch(Path data, Path... parts) {
    StorageWatch watch = StorageWatch.of(data, List.of(parts), nanos::get);
    watch.onChange(told::add);
    return watch;
  }

  private static String seen(StorageWatch watch) {
    watch.look();
    return watch.trouble();
  }

  @Test
  void R44_a_data_folder_that_is_moved_is_told_once_and_not_named() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path journal = Files.createFile(data.resolve("journal.db"));
    StorageWatch watch = watch(data, journal, data.resolve("not there yet"));
    assertEquals("", seen(watch));
    Path elsewhere = Files.move(data, folder.resolve("elsewhere"));
    String gone = seen(watch);
    assertTrue(gone.contains("gone or was moved"), gone);
    assertFalse(gone.contains(folder.toString()), gone);
    assertEquals(gone, seen(watch));
    Files.move(elsewhere, data);
    assertEquals("", seen(watch));
    assertEquals(2, told.size(), told.toString());
    assertEquals(gone, told.getFirst());
  }

  @Test
  void R44_a_part_that_is_removed_is_noticed() throws IOException {
    Path index = Files.createDirectory(folder.resolve("corpus"));
    StorageWatch watch = watch(folder, index);
    assertEquals("", seen(watch));
    Files.delete(index);
    assertFalse(seen(watch).isEmpty());
  }

  @Test
  void a_look_that_does_not_end_is_trouble() {
    StorageWatch watch = watch(folder);
    assertEquals("", seen(watch));
    nanos.addAndGet(Duration.ofSeconds(11).toNanos());
    assertTrue(watch.trouble().contains("does not answer"), watch.trouble());
    assertEquals("", seen(watch));
  }
}
