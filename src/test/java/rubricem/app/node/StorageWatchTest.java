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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageWatchTest {
  private static final DiskRoom ROOM = new DiskRoom(8 << 20);

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> told = new ArrayList<>();
  private final AtomicBoolean written = new AtomicBoolean();

  private StorageWatch watch(Path data, Path... parts) {
    StorageWatch watch = StorageWatch.of(data, List.of(parts), ROOM, written::get, nanos::get);
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
  void R44_a_folder_that_is_there_and_cannot_be_written_is_noticed() throws IOException {
    StorageWatch watch = watch(folder);
    assertEquals("", seen(watch));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
    // who runs as root may write anywhere; not even root writes a file where a folder is
    Path taken = Files.createDirectories(folder.resolve(StorageWatch.PROBE).resolve("full"));
    String unwritable = seen(watch);
    assertTrue(unwritable.contains("cannot be written"), unwritable);
    assertFalse(unwritable.contains(folder.toString()), unwritable);
    Files.delete(taken);
    Files.delete(taken.getParent());
    assertEquals("", seen(watch));
    assertEquals(2, told.size(), told.toString());
  }

  @Test
  void R44_a_data_folder_that_became_a_file_is_noticed() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    StorageWatch watch = watch(data);
    assertEquals("", seen(watch));
    Files.delete(data);
    Files.createFile(data);
    assertFalse(seen(watch).isEmpty());
  }

  @Test
  void nothing_is_written_once_it_is_closed() throws Exception {
    StorageWatch watch = StorageWatch.start(folder, List.of(), ROOM, written::get, nanos::get);
    watch.close();
    assertFalse(watch.runs());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void a_look_that_does_not_end_is_trouble() {
    StorageWatch watch = watch(folder);
    assertEquals("", seen(watch));
    nanos.addAndGet(Duration.ofSeconds(11).toNanos());
    assertTrue(watch.trouble().contains("does not answer"), watch.trouble());
    assertEquals("", seen(watch));
  }

  @Test
  void R44_a_full_disk_is_told_with_the_room_that_is_wanted() {
    DiskRoom most = new DiskRoom(1_000_000_000L << 20);
    StorageWatch watch =
        StorageWatch.of(folder, List.of(), most, written::get, nanos::get);
    String full = seen(watch);
    assertTrue(full.contains("no room left"), full);
    assertTrue(full.contains("1000000000 MB have to be free"), full);
    assertFalse(full.contains(folder.toString()), full);
    assertFalse(watch.refuses(), "what little there is may do for what runs");
    String lacking = most.lackingIn(folder);
    assertTrue(lacking.contains("rubricem.storage.room-bytes-min"), lacking);
    assertTrue(lacking.contains(folder.toString()), lacking);
    assertEquals("", ROOM.lackingIn(folder));
    String filled = ROOM.filledUp(folder, new IOException("No space left on device"));
    assertTrue(filled.contains("More than 8 MB have to be free"), filled);
    assertTrue(most.filledUp(folder, new IOException("b")).contains("1000000000 MB have to be"));
    assertEquals("", ROOM.filledUp(folder, new IOException("broken")));
  }

  @Test
  void R44_a_write_that_fails_is_trouble_from_that_moment_until_one_succeeds() {
    StorageWatch watch = watch(folder);
    watch.refused(true);
    assertTrue(watch.refuses());
    assertTrue(watch.trouble().contains("8 MB have to be free"), watch.trouble());
    assertEquals(watch.trouble(), seen(watch), "there is room, and still nothing can be written");
    watch.refused(false);
    String refused = watch.trouble();
    assertTrue(refused.contains("takes no writes"), refused);
    assertEquals(refused, seen(watch));
    written.set(true);
    assertEquals("", seen(watch));
    assertFalse(watch.refuses());
    assertEquals(3, told.size(), told.toString());
  }

  @Test
  void the_thread_whose_write_failed_tells_nobody_itself() {
    StorageWatch watch = watch(folder);
    watch.refused(true);
    assertTrue(watch.refuses());
    assertEquals(List.of(), told, "a console that nobody reads would hold the journal");
    assertEquals(List.of(seen(watch)), told);
  }

  @Test
  void a_write_that_fails_during_a_look_is_not_forgotten_by_it() {
    List<StorageWatch> self = new ArrayList<>();
    StorageWatch watch =
        StorageWatch.of(
            folder, List.of(), ROOM,
            () -> {
              self.getFirst().refused(true);
              return true;
            },
            nanos::get);
    self.add(watch);
    watch.refused(true);
    assertFalse(seen(watch).isEmpty());
  }
}
