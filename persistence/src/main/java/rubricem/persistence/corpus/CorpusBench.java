package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.Embedder;

/**
 * Measures what a user waits for: how long until documents can be found by words and by meaning,
 * how long a second start takes, and how fast a search is. Runs in an empty folder given to it.
 */
public final class CorpusBench {
  private CorpusBench() {}

  /**
   * @param reopen opening and checking an index that is up to date
   * @param searchP50 of the hybrid search, after a warm-up; {@code searchP99} likewise
   */
  public record Figures(
      int documents, int passages, int vectors, Duration keywords, Duration vectorsReady,
      Duration reopen, Duration searchP50, Duration searchP99) {}

  /** @param queries searched in turn, {@code searches} times in all */
  public static Figures run(
      List<Path> roots, Path folder, CorpusSettings settings,
      CompletionStage<Embedder> embedder, List<String> queries, int searches)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Duration[] keywords = {Duration.ZERO};
    IndexingWatcher watcher =
        new IndexingWatcher() {
          @Override
          public void onReading(int done, int total) {}

          @Override
          public void onKeywordsReady(int documents, int passages) {
            keywords[0] = since(start);
          }

          @Override
          public void onEmbedding(int done, int total) {}
        };
    new CorpusIndexing(folder, settings, embedder).run(roots, watcher);
    Duration ready = since(start);
    long again = System.nanoTime();
    new CorpusIndexing(folder, settings, embedder).run(roots, IndexingWatcher.NONE);
    try (LuceneCorpus corpus = LuceneCorpus.open(folder, roots, settings, embedder)) {
      var status = corpus.status();
      Duration reopen = since(again);
      List<Long> nanos = searches(corpus, queries, searches);
      return new Figures(
          status.documents(), status.passages(), status.vectors(), keywords[0], ready, reopen,
          Duration.ofNanos(nanos.get(nanos.size() / 2)),
          Duration.ofNanos(nanos.get(nanos.size() * 99 / 100)));
    }
  }

  private static List<Long> searches(Corpus corpus, List<String> queries, int searches) {
    List<Long> nanos = new ArrayList<>();
    int warmUp = searches / 4;
    for (int i = 0; i < warmUp + Math.max(1, searches); i++) {
      long start = System.nanoTime();
      String text = queries.get(i % queries.size());
      corpus.search(new Corpus.Query(text, 8, "")).toCompletableFuture().join();
      if (i >= warmUp) {
        nanos.add(System.nanoTime() - start);
      }
    }
    Collections.sort(nanos);
    return nanos;
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
