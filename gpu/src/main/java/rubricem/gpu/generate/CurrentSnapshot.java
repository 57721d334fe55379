package rubricem.gpu.generate;

import rubricem.gpu.model.Snapshot;

/** The weights that new sequences begin with. Versions only rise. Thread safe. */
final class CurrentSnapshot implements AutoCloseable {
  private Snapshot current;

  CurrentSnapshot(Snapshot first) {
    current = first.retain();
  }

  synchronized long version() {
    return current.version();
  }

  /** One more holder; the caller closes it. */
  synchronized Snapshot acquire() {
    return current.retain();
  }

  synchronized void replace(Snapshot next) {
    if (next.version() <= current.version()) {
      throw new IllegalArgumentException(
          "weights of version " + next.version() + " after those of " + current.version()
              + ": versions only rise");
    }
    Snapshot old = current;
    current = next.retain();
    old.close();
  }

  @Override
  public synchronized void close() {
    current.close();
  }
}
