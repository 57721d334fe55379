package rubricem.persistence.corpus;

/** Told how far the indexing is; called on the indexing thread, must not block. */
public interface IndexingWatcher {
  IndexingWatcher NONE =
      new IndexingWatcher() {
        @Override
        public void onReading(int done, int total) {}

        @Override
        public void onKeywordsReady(int documents, int passages) {}

        @Override
        public void onEmbedding(int done, int total) {}
      };

  /** @param done files read of {@code total} new or changed ones */
  void onReading(int done, int total);

  /** Everything can now be found by words; told once in every run, before any vector is made. */
  void onKeywordsReady(int documents, int passages);

  /** @param done passages embedded of {@code total} that had no vector */
  void onEmbedding(int done, int total);
}
