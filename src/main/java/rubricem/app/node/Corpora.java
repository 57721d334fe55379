package rubricem.app.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import rubricem.persistence.corpus.CorpusSettings;
import rubricem.persistence.corpus.LuceneCorpus;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.Embedder;

/**
 * The corpora of a node, one for each set of folders that somebody asked for, all in one index. An
 * episode searches the folders it was started with, whatever the node was started with.
 */
public final class Corpora implements AutoCloseable {
  /** Sets of folders kept open; an index reader costs file handles. */
  private static final int OPEN_MAX = 16;

  private final Path folder;
  private final CorpusSettings settings;
  private final CompletionStage<Embedder> embedder;
  private final Map<List<String>, LuceneCorpus> open = new LinkedHashMap<>();

  public Corpora(Path folder, CorpusSettings settings, CompletionStage<Embedder> embedder) {
    this.folder = folder;
    this.settings = settings;
    this.embedder = embedder;
  }

  public synchronized Corpus of(List<String> roots) {
    LuceneCorpus known = open.get(roots);
    if (known != null) {
      return known;
    }
    if (open.size() >= OPEN_MAX) {
      close(open.remove(open.keySet().iterator().next()));
    }
    try {
      LuceneCorpus corpus =
          LuceneCorpus.open(folder, roots.stream().map(Path::of).toList(), settings, embedder);
      open.put(List.copyOf(roots), corpus);
      return corpus;
    } catch (IOException e) {
      throw new UncheckedIOException("the corpus index cannot be opened in " + folder, e);
    }
  }

  private static void close(LuceneCorpus corpus) {
    try {
      corpus.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    open.values().forEach(Corpora::close);
    open.clear();
  }
}
