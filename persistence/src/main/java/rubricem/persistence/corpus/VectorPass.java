package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import rubricem.protocol.port.Embedder;

/**
 * Gives every passage under the roots its vector, in index order, committing as it goes. Without
 * an embedder, or when it fails, the passages stay searchable by words and the next run tries
 * again.
 */
final class VectorPass {
  /** Each commit leaves a graph of vectors to be merged again, so these are rarer. */
  private static final int COMMIT_LESS = 5;

  private final IndexWriter writer;
  private final FSDirectory directory;
  private final CorpusSettings settings;
  private final CompletionStage<Embedder> embedder;
  private final BooleanSupplier stopped;

  VectorPass(
      IndexWriter writer, FSDirectory directory, CorpusSettings settings,
      CompletionStage<Embedder> embedder, BooleanSupplier stopped) {
    this.writer = writer;
    this.directory = directory;
    this.settings = settings;
    this.embedder = embedder;
    this.stopped = stopped;
  }

  /** Returns what went wrong with the embedder, if anything did. */
  Optional<String> run(List<Path> roots, IndexingWatcher watcher)
      throws IOException, InterruptedException {
    try {
      Embedder model = embedder.toCompletableFuture().get();
      embedAll(model, roots, watcher);
      return Optional.empty();
    } catch (ExecutionException e) {
      writer.commit();
      return Optional.of(
          "The embedding model failed, so documents are searched by words only: "
              + CorpusSearch.said(e));
    }
  }

  private void embedAll(Embedder model, List<Path> roots, IndexingWatcher watcher)
      throws IOException, InterruptedException, ExecutionException {
    long commitNanos = settings.commitEvery().toNanos() * COMMIT_LESS;
    try (CorpusView view = CorpusView.open(directory)) {
      int[] pending = view.withoutVector(roots, model.name());
      long last = System.nanoTime();
      for (int at = 0; at < pending.length && !stopped.getAsBoolean(); ) {
        int end = Math.min(pending.length, at + settings.embedBatch());
        List<PassageDocument> batch = new ArrayList<>(end - at);
        for (int i = at; i < end; i++) {
          batch.add(view.passage(pending[i]));
        }
        embed(model, batch);
        at = end;
        watcher.onEmbedding(at, pending.length);
        if (System.nanoTime() - last > commitNanos) {
          writer.commit();
          last = System.nanoTime();
        }
      }
    }
    writer.commit();
  }

  private void embed(Embedder model, List<PassageDocument> batch)
      throws IOException, InterruptedException, ExecutionException {
    List<String> texts = batch.stream().map(PassageDocument::embedded).toList();
    List<float[]> vectors = model.embedInBackground(texts).toCompletableFuture().get();
    for (int i = 0; i < batch.size(); i++) {
      PassageDocument passage = batch.get(i);
      writer.updateDocument(
          new Term(Fields.PASSAGE_ID, passage.id()),
          passage.toIndex(model.name(), vectors.get(i)));
    }
  }
}
