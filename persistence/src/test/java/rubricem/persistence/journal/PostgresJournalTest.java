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
    try (Connection c = SERVER.getPostgresDatabase().getConnection();
        Statement statement = c.createStatement()) {
      statement.execute("CREATE DATABASE claimed");
    }
    DatabaseSettings settings =
        new DatabaseSettings(SERVER.getJdbcUrl("postgres", "claimed"), "postgres", "", 1, 9, 9);
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
}
