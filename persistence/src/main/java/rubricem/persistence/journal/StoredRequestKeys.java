package rubricem.persistence.journal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.RequestKeys;

/**
 * Request keys in the journal's database. A claim shares its commit with the events that are written
 * at the same time, so that many at once cost little more than one.
 */
public final class StoredRequestKeys implements RequestKeys {
  private final JournalDatabase database;
  private final InstantSource clock;

  public StoredRequestKeys(JournalDatabase database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Forgets keys that were claimed longer than {@code kept} ago: nobody sends those requests again.
   * What {@link #replace} set stays.
   */
  public CompletionStage<Void> forget(Duration kept) {
    long before = clock.instant().minus(kept).toEpochMilli();
    return database
        .commits()
        .run(
            c -> {
              try (PreparedStatement delete =
                  c.prepareStatement("DELETE FROM request_key WHERE claimed_at < ?")) {
                delete.setLong(1, before);
                delete.executeUpdate();
              }
            });
  }

  @Override
  public CompletionStage<Claim> claim(String key, String digest, EpisodeId fresh) {
    AtomicReference<Claim> claim = new AtomicReference<>();
    String name = sha256(key);
    return database
        .commits()
        .run(c -> claim.set(claim(c, name, digest, fresh, clock.millis())))
        .thenApply(stored -> claim.get());
  }

  private static Claim claim(
      Connection c, String name, String digest, EpisodeId fresh, long now) throws SQLException {
    try (PreparedStatement insert =
        c.prepareStatement(
            "INSERT INTO request_key (key_digest, digest, episode, claimed_at)"
                + " VALUES (?, ?, ?, ?) ON CONFLICT (key_digest) DO NOTHING")) {
      insert.setString(1, name);
      insert.setString(2, digest);
      insert.setString(3, fresh.value());
      insert.setLong(4, now);
      if (insert.executeUpdate() == 1) {
        return new Claim(fresh, digest);
      }
    }
    return find(c, name).orElseThrow();
  }

  private static Optional<Claim> find(Connection c, String name) throws SQLException {
    try (PreparedStatement select =
        c.prepareStatement("SELECT episode, digest FROM request_key WHERE key_digest = ?")) {
      select.setString(1, name);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next()
            ? Optional.of(new Claim(new EpisodeId(rows.getString(1)), rows.getString(2)))
            : Optional.empty();
      }
    }
  }

  /** Through the commits too, so that it sees every claim that was made before it was asked. */
  @Override
  public CompletionStage<Optional<Claim>> find(String key) {
    AtomicReference<Optional<Claim>> found = new AtomicReference<>(Optional.empty());
    String name = sha256(key);
    return database.commits().run(c -> found.set(find(c, name))).thenApply(done -> found.get());
  }

  @Override
  public CompletionStage<Claim> replace(String key, String digest, EpisodeId id) {
    String name = sha256(key);
    return database
        .commits()
        .run(c -> replace(c, name, digest, id))
        .thenApply(stored -> new Claim(id, digest));
  }

  private static void replace(Connection c, String name, String digest, EpisodeId id)
      throws SQLException {
    try (PreparedStatement upsert =
        c.prepareStatement(
            "INSERT INTO request_key (key_digest, digest, episode) VALUES (?, ?, ?)"
                + " ON CONFLICT (key_digest) DO UPDATE SET digest = excluded.digest,"
                + " episode = excluded.episode, claimed_at = NULL")) {
      upsert.setString(1, name);
      upsert.setString(2, digest);
      upsert.setString(3, id.value());
      upsert.executeUpdate();
    }
  }

  /** Keys are their senders' own words and may be long or secret. */
  private static String sha256(String key) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
