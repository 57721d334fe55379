package rubricem.persistence.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who hears that the database takes no writes; a file that may not grow is a full disk. */
class JournalRefusalTest {
  private static final int PAGES = 100;

  @TempDir private Path folder;
  private final List<JournalUnusable> heard = new ArrayList<>();

  private JournalDatabase open() {
    JournalDatabase database =
        JournalDatabase.open(
            new DatabaseSettings(
                "jdbc:sqlite:" + folder.resolve("journal.db").toUri() + "?max_page_count=" + PAGES,
                "", "", 1, 9, 9));
    database.onRefusal(heard::add);
    return database;
  }

  private static GroupCommit.Work insert(int bytes) {
    return connection -> {
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO journal (entity, seq, events, payload) VALUES (1, 1, 1, ?)")) {
        insert.setBytes(1, new byte[bytes]);
        insert.executeUpdate();
      }
    };
  }

  @Test
  void a_full_disk_is_heard_of_before_whoever_wrote_hears_it() {
    try (JournalDatabase database = open()) {
      var stored = database.commits().run(insert(1_000_000)).toCompletableFuture();
      List<Integer> heardBefore = new ArrayList<>();
      stored.handle((done, failure) -> heardBefore.add(heard.size())).join();
      assertThrows(CompletionException.class, stored::join);
      assertEquals(1, heard.size());
      assertEquals(List.of(1), heardBefore);
      assertTrue(heard.getFirst().noRoom());
    }
  }

  @Test
  void a_listener_that_fails_leaves_nobody_waiting_and_writes_go_on() {
    try (JournalDatabase database = open()) {
      database.onRefusal(
          failure -> {
            throw new IllegalStateException("it is stopping");
          });
      var refused =
          database.commits().run(insert(1_000_000)).toCompletableFuture()
              .orTimeout(20, TimeUnit.SECONDS);
      CompletionException told = assertThrows(CompletionException.class, refused::join);
      assertInstanceOf(JournalUnusable.class, told.getCause());
      database.tryToWrite().toCompletableFuture().join();
    }
  }

  @Test
  void what_is_wrong_with_one_write_is_not_wrong_with_the_database() {
    try (JournalDatabase database = open()) {
      database.commits().run(insert(10)).toCompletableFuture().join();
      var again = database.commits().run(insert(10)).toCompletableFuture();
      assertThrows(CompletionException.class, again::join);
      assertEquals(List.of(), heard);
    }
  }

  @Test
  void a_trial_writes_and_changes_nothing() {
    try (JournalDatabase database = open()) {
      database.tryToWrite().toCompletableFuture().join();
    }
    try (JournalDatabase again = open()) {
      again.tryToWrite().toCompletableFuture().join();
    }
    assertEquals(List.of(), heard);
  }
}
