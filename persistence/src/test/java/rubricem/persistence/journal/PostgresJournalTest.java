package rubricem.persistence.journal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The cluster's database; the server is started by the test. */
class PostgresJournalTest extends JournalContractTest {
  private static final EmbeddedPostgres SERVER = start();

  private static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    SERVER.close();
  }

  @Override
  String url() {
    return SERVER.getJdbcUrl("postgres", "postgres");
  }

  @Override
  String user() {
    return "postgres";
  }

  @Test
  void nodes_that_start_together_on_a_new_database_all_come_up() throws SQLException {
    try (Connection c = SERVER.getPostgresDatabase().getConnection();
        Statement statement = c.createStatement()) {
      statement.execute("CREATE DATABASE fresh");
    }
    DatabaseSettings fresh =
        new DatabaseSettings(SERVER.getJdbcUrl("postgres", "fresh"), "postgres", "", 1, 9, 9);
    List<CompletableFuture<Void>> nodes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      nodes.add(CompletableFuture.runAsync(() -> JournalDatabase.open(fresh).close()));
    }
    assertTrue(
        nodes.stream().allMatch(n -> n.handle((done, failure) -> failure == null).join()));
  }

  @Test
  void a_second_node_on_the_same_database_is_told_so() throws SQLException {
    DatabaseSettings settings = fresh("claimed");
    try (JournalDatabase second = JournalDatabase.open(settings)) {
      try (JournalDatabase first = JournalDatabase.open(settings)) {
        first.claim();
        first.claim();
        JournalUnusable refused = assertThrows(JournalUnusable.class, second::claim);
        assertTrue(refused.getMessage().contains("/claimed"), refused.getMessage());
        assertTrue(refused.getMessage().contains("Another RubricEM process"));
      }
      second.claim();
    }
  }

  @Test
  void who_loses_its_session_writes_nothing_while_another_has_the_database() throws Exception {
    DatabaseSettings settings = fresh("lost");
    try (JournalDatabase first = JournalDatabase.open(settings)) {
      first.claim();
      endSessions("lost");
      try (JournalDatabase second = JournalDatabase.open(settings)) {
        second.claim();
        assertThrows(CompletionException.class, () -> write(first), "its session has ended");
        CompletionException other = assertThrows(CompletionException.class, () -> write(first));
        assertTrue(other.getMessage().contains("Another RubricEM process"), other.getMessage());
        write(second);
      }
      untilWritten(first);
    }
  }

  @Test
  void a_session_of_its_own_that_the_server_still_believes_in_is_ended() throws Exception {
    DatabaseSettings direct = fresh("parted");
    try (CutProxy proxy = new CutProxy(SERVER.getPort());
        JournalDatabase node =
            JournalDatabase.open(
                new DatabaseSettings(
                    SERVER.getJdbcUrl("postgres", "parted")
                        .replace(":" + SERVER.getPort(), ":" + proxy.port()),
                    "postgres", "", 1, 9, 9));
        JournalDatabase other = JournalDatabase.open(direct)) {
      node.claim();
      proxy.cutClients();
      assertThrows(JournalUnusable.class, other::claim, "the server has not noticed");
      assertThrows(CompletionException.class, () -> write(node), "its connection is gone");
      CompletionException anew = assertThrows(CompletionException.class, () -> write(node));
      assertTrue(anew.getMessage().contains("made anew"), anew.getMessage());
      untilWritten(node);
      assertThrows(JournalUnusable.class, other::claim);
    }
  }

  private static void write(JournalDatabase database) {
    database.tryToWrite().toCompletableFuture().join();
  }

  /** The server takes its time to end a session. */
  private static void untilWritten(JournalDatabase database) {
    for (int i = 0; ; i++) {
      try {
        write(database);
        return;
      } catch (CompletionException e) {
        if (i == 1_000) {
          throw e;
        }
      }
    }
  }

  private static DatabaseSettings fresh(String name) throws SQLException {
    try (Connection c = SERVER.getPostgresDatabase().getConnection();
        Statement statement = c.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return new DatabaseSettings(SERVER.getJdbcUrl("postgres", name), "postgres", "", 1, 9, 9);
  }

  private static void endSessions(String name) throws SQLException {
    try (Connection c = SERVER.getPostgresDatabase().getConnection();
        Statement statement = c.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '" + name
              + "'");
    }
  }
}
