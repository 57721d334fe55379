package rubricem.persistence.journal;

import java.util.Optional;

/** What differs between the two databases. */
enum SqlDialect {
  /**
   * A commit of H2 reaches the file at the next write delay; {@code CHECKPOINT SYNC} writes it and
   * waits for the disk, once for all writes of a group.
   */
  H2("h2", Optional.of("CHECKPOINT SYNC"), Optional.empty()),
  /** Nodes that start together create the schema one after the other. */
  POSTGRESQL(
      "postgresql", Optional.empty(), Optional.of("SELECT pg_advisory_xact_lock(72301)"));

  private final String folder;
  private final Optional<String> sync;
  private final Optional<String> schemaLock;

  SqlDialect(String folder, Optional<String> sync, Optional<String> schemaLock) {
    this.schemaLock = schemaLock;
    this.folder = folder;
    this.sync = sync;
  }

  /** The statement after a commit without which it is not on disk. */
  Optional<String> sync() {
    return sync;
  }

  /** The statement that keeps a second opener waiting until the first has made the schema. */
  Optional<String> schemaLock() {
    return schemaLock;
  }

  String schemaFile(int version) {
    return "/schema/" + folder + "/" + version + ".sql";
  }

  static SqlDialect of(String url) {
    if (url.startsWith("jdbc:h2:")) {
      return H2;
    }
    if (url.startsWith("jdbc:postgresql:")) {
      return POSTGRESQL;
    }
    throw new IllegalArgumentException(
        "rubricem.database.url must begin with jdbc:h2: or jdbc:postgresql:");
  }
}
