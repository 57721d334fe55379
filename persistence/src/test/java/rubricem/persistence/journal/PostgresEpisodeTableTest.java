package rubricem.persistence.journal;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresEpisodeTableTest extends EpisodeTableContractTest {
  private static EmbeddedPostgres server;
  private static int databases;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Override
  DatabaseSettings settings() throws SQLException {
    String name = "fresh" + databases++;
    try (Connection c = server.getPostgresDatabase().getConnection();
        Statement statement = c.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return new DatabaseSettings(
        server.getJdbcUrl("postgres", name), "postgres", "", 2, 1_000, 100);
  }
}
