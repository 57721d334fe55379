package rubricem.persistence.journal;

import java.util.Optional;

/** What differs between the two databases. */
enum SqlDialect {
  /**
   * A commit of H2 reaches the file at the next write delay; {@code CHECKPOINT SYNC} writes it and
   * waits for the disk, once for all writes of a group.
   */
  H2("h2", Optional.of("CHECKPOINT SYNC")),
  POSTGRESQL("postgresql", Optional.empty());

  private final String folder;
  private final Optional<String> sync;

  SqlDialect(String folder, Optional<String> sync) {
    this.folder = folder;
    this.sync = sync;
  }

  /** The statement after a commit without which it is not on disk. */
  Optional<String> sync() {
    return sync;
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
