package rubricem.persistence.journal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database behind journal and snapshots: its connections, its schema and the threads that read
 * from it. Opening it creates the schema, brings an older one up to date, and refuses one that a
 * newer program has written.
 */
public final class JournalDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalDatabase.class);
  private static final int SCHEMA_VERSION = 2;
  /** The version that brought the table which lists are made from. */
  private static final int EPISODE_TABLE = 2;

  /** Threads for people who look: a burst of recoveries must not be in their way. */
  private static final int LOOKERS = 2;

  private final DatabaseSettings settings;
  private final SqlDialect dialect;
  private final HikariDataSource pool;
  private final ExecutorService readers;
  private final ExecutorService lookers;
  private @Nullable GroupCommit commits;
  private final NodeClaim claim = new NodeClaim();
  private volatile boolean claimed;
  private volatile Consumer<JournalUnusable> refusals = failure -> {};

  private JournalDatabase(DatabaseSettings settings, SqlDialect dialect, HikariDataSource pool) {
    this.settings = settings;
    this.dialect = dialect;
    this.pool = pool;
    this.readers =
        Executors.newFixedThreadPool(
            settings.connections(),
            Thread.ofPlatform().name("journal-reader-", 0).daemon().factory());
    this.lookers =
        Executors.newFixedThreadPool(
            LOOKERS, Thread.ofPlatform().name("journal-looker-", 0).daemon().factory());
  }

  public static JournalDatabase open(DatabaseSettings settings) {
    SqlDialect dialect = SqlDialect.of(settings.url());
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.url());
    config.setDataSourceProperties(dialect.properties(settings, false));
    config.setMaximumPoolSize(settings.connections() + LOOKERS);
    config.setMinimumIdle(0);
    config.setPoolName("journal");
    try (Connection connection = connect(settings, dialect, !settings.readOnly())) {
      if (version(connection, dialect) != SCHEMA_VERSION) {
        connection.setAutoCommit(false);
        migrate(connection, dialect);
        connection.commit();
      }
    } catch (SQLException e) {
      throw DatabaseTrouble.of(settings, e);
    }
    return new JournalDatabase(settings, dialect, new HikariDataSource(config));
  }

  /** A connection outside the pool. */
  Connection connect() throws SQLException {
    return connect(settings, dialect, true);
  }

  /** The connection of the one thread that writes; it carries the claim. */
  Connection writer() throws SQLException {
    Connection connection = connect();
    try {
      if (claimed) {
        claim.take(connection, settings.address());
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static Connection connect(
      DatabaseSettings settings, SqlDialect dialect, boolean writes) throws SQLException {
    return DriverManager.getConnection(settings.url(), dialect.properties(settings, writes));
  }

  /**
   * Keeps other nodes away until this closes. An unfinished episode is taken up by whoever starts
   * on its database: with two of them it would be driven twice.
   */
  public synchronized void claim() {
    if (claimed || !dialect.isShared()) {
      return;
    }
    claimed = true;
    try {
      commits().run(writer -> claim.take(writer, settings.address())).toCompletableFuture().join();
    } catch (CompletionException e) {
      claimed = false;
      throw e.getCause() instanceof JournalUnusable told ? told : e;
    }
  }

  /**
   * Listens to writes that fail because of the database and not because of what was written.
   *
   * @param listener called by the thread that writes, before whoever waits for the write is told;
   *     where it fails, the write has failed all the same and nothing else has
   */
  public void onRefusal(Consumer<JournalUnusable> listener) {
    refusals = listener;
  }

  void refused(JournalUnusable failure) {
    try {
      refusals.accept(failure);
    } catch (RuntimeException e) {
      LOG.warn("whoever listens to refused writes failed", e);
    }
  }

  /** Writes what is there already: completes where the database takes writes, and fails else. */
  public CompletionStage<Void> tryToWrite() {
    return commits()
        .run(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute("UPDATE schema_version SET version = version");
              }
            });
  }

  /** The one thread that writes; it starts when it is first asked for. */
  synchronized GroupCommit commits() {
    if (commits == null) {
      commits = new GroupCommit(this);
    }
    return commits;
  }

  Connection reader() throws SQLException {
    return pool.getConnection();
  }

  /** For entities that recover. */
  ExecutorService readers() {
    return readers;
  }

  /** For lists, views and watchers. */
  ExecutorService lookers() {
    return lookers;
  }

  /** What a failure to read means to the user. */
  JournalUnusable trouble(SQLException failure) {
    return DatabaseTrouble.of(settings, failure);
  }

  SqlDialect dialect() {
    return dialect;
  }

  DatabaseSettings settings() {
    return settings;
  }

  /** The version of the schema that is there; 0 where there is none. */
  private static int version(Connection connection, SqlDialect dialect) throws SQLException {
    try (ResultSet tables =
        connection.getMetaData().getTables(null, null, "schema_version", null)) {
      if (!tables.next()) {
        return 0;
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT MAX(version) FROM schema_version")) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  /** Its statements may all be run twice. */
  private static void migrate(Connection connection, SqlDialect dialect) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (dialect.schemaLock().isPresent()) {
        statement.execute(dialect.schemaLock().get());
      }
      statement.execute(
          "CREATE TABLE IF NOT EXISTS schema_version (version INT NOT NULL PRIMARY KEY)");
      int found = 0;
      try (ResultSet rows = statement.executeQuery("SELECT MAX(version) FROM schema_version")) {
        found = rows.next() ? rows.getInt(1) : 0;
      }
      if (found > SCHEMA_VERSION) {
        throw new JournalUnusable(
            "This journal was written by a newer version of RubricEM (schema " + found
                + ", this program knows " + SCHEMA_VERSION + "). Nothing was changed: use the"
                + " newer program, or another folder with --data-dir.");
      }
      for (int version = found + 1; version <= SCHEMA_VERSION; version++) {
        for (String sql : script(dialect, version).split(";")) {
          if (!sql.isBlank()) {
            statement.execute(sql);
          }
        }
        if (version == EPISODE_TABLE) {
          EpisodeRowsRebuild.run(connection);
        }
        statement.execute("INSERT INTO schema_version VALUES (" + version + ")");
      }
    }
  }

  private static String script(SqlDialect dialect, int version) {
    String name = dialect.schemaFile(version);
    try (InputStream in = JournalDatabase.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its schema file " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
    } catch (IOException e) {
      throw new IllegalStateException("the program's schema file cannot be read: " + name, e);
    }
  }

  @Override
  public void close() {
    if (pool.isClosed()) {
      return;
    }
    synchronized (this) {
      if (commits != null) {
        commits.close();
      }
    }
    readers.shutdown();
    lookers.shutdown();
    // the embedded database is tidied up by its last connection: that is one of this thread, so that
    // it has happened when this returns, and not one of the pool's that end with the process
    try (Connection last = connect()) {
      pool.close();
      LOG.debug("the journal closes on {}", last);
    } catch (SQLException e) {
      pool.close();
      LOG.debug("the journal was closed already", e);
    }
  }
}
