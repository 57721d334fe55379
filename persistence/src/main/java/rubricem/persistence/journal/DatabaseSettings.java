package rubricem.persistence.journal;

import com.typesafe.config.Config;

/**
 * Where the journal lives; {@code rubricem.database} in reference.conf.
 *
 * @param url a JDBC address of SQLite or PostgreSQL
 * @param connections most connections for reading; writing has one of its own
 * @param writesQueued most writes that wait for the next commit; more are refused
 * @param writesPerCommit most writes in one commit
 */
public record DatabaseSettings(
    String url, String user, String password, int connections, int writesQueued,
    int writesPerCommit) {

  public static DatabaseSettings of(Config config) {
    Config c = config.getConfig("rubricem.database");
    return new DatabaseSettings(
        c.getString("url"), c.getString("user"), c.getString("password"),
        c.getInt("connections"), c.getInt("writes-queued"), c.getInt("writes-per-commit"));
  }

  /** Whether the address names a file that this process must not change. */
  boolean readOnly() {
    return url.contains("immutable=1") || url.contains("mode=ro");
  }

  /** The address, fit to be shown. */
  String address() {
    return url.replaceAll("(?i)password=[^;&]*", "password=…")
        .replaceAll("//[^/@]*@", "//…@");
  }

  @Override
  public String toString() {
    return "DatabaseSettings[" + address() + "]";
  }
}
