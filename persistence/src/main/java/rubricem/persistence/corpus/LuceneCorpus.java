package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;
import rubricem.protocol.port.Embedder;

/**
 * The documents under a set of roots, searchable by words and, as far as their vectors are there,
 * by meaning. Reads the last committed state of the index, which {@link CorpusIndexing} may be
 * writing in this or another process. Never fails a search because of the embedder: it says in a
 * note that it went by words only.
 */
public final class LuceneCorpus implements Corpus, AutoCloseable {
  /** Searches that run side by side; more would only share the same two cores. */
  private static final int SEARCHERS = 2;

  /** Searches that may wait; beyond it a caller runs its own, which slows it down. */
  private static final int WAITING_MAX = 256;

  private final FSDirectory directory;
  private final List<Path> roots;
  private final DocumentNames names;
  private final CorpusSearch search;
  private final ExecutorService searchers;
  private final FolderChanges changes;
  private CorpusView view;
  private volatile @Nullable Counted counted;

  /** What was counted of one state of the index; counting it for every search would cost. */
  private record Counted(CorpusView view, CorpusStatus status) {}

  private LuceneCorpus(
      FSDirectory directory, List<Path> roots, CorpusSettings settings,
      CompletionStage<Embedder> embedder)
      throws IOException {
    this.directory = directory;
    this.roots = roots;
    this.names = new DocumentNames(roots);
    this.search = new CorpusSearch(roots, names, settings, embedder);
    this.changes = new FolderChanges(directory.getDirectory(), System::nanoTime);
    this.view = CorpusView.open(directory);
    this.searchers =
        new ThreadPoolExecutor(
            SEARCHERS, SEARCHERS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX),
            work -> {
              Thread thread = new Thread(work, "corpus-search");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.CallerRunsPolicy());
  }

  /**
   * Opens what is indexed; an index that does not exist yet is empty and fills as it is written.
   *
   * @param folder where {@link CorpusIndexing} writes
   * @param roots what may be searched
   * @param embedder completes when the model is loaded; may fail
   */
  public static LuceneCorpus open(
      Path folder, List<Path> roots, CorpusSettings settings, CompletionStage<Embedder> embedder)
      throws IOException {
    Files.createDirectories(folder);
    List<Path> canonical = roots.stream().map(CorpusScan::canonical).toList();
    return new LuceneCorpus(FSDirectory.open(folder), canonical, settings, embedder);
  }

  @Override
  public CompletionStage<Hits> search(Corpus.Query query) {
    return CompletableFuture.supplyAsync(() -> reading(view -> search.hits(view, query, status(view))), searchers);
  }

  @Override
  public CorpusStatus status() {
    return reading(this::status);
  }

  private CorpusStatus status(CorpusView view) throws IOException {
    Counted last = counted;
    if (last != null && last.view() == view) {
      return last.status();
    }
    CorpusView.Count count = view.status(roots);
    List<CorpusStatus.Unreadable> unreadable = view.unreadable(roots, names);
    CorpusStatus status =
        new CorpusStatus(
            count.documents(), count.documents() + unreadable.size(), count.passages(),
            count.vectors(), unreadable);
    counted = new Counted(view, status);
    return status;
  }

  @Override
  public List<Passage> passagesAround(String document, int from, int to, int each) {
    return reading(view -> {
      List<PassageDocument> all = all(view, document);
      List<Passage> around = new ArrayList<>();
      int first = all.size();
      int last = -1;
      for (PassageDocument passage : all) {
        if (passage.from() < to && passage.to() > from) {
          first = Math.min(first, passage.ordinal());
          last = Math.max(last, passage.ordinal());
        }
      }
      for (PassageDocument passage : all) {
        int at = passage.ordinal();
        boolean near = at >= first - each && at <= last + each;
        if (last >= 0 && near && (at < first || at > last)) {
          around.add(passage.found(names, 0));
        }
      }
      return List.copyOf(around);
    });
  }

  @Override
  public Optional<Passage> passage(String document, int from, int to) {
    return reading(view -> {
      for (PassageDocument passage : all(view, document)) {
        if (passage.from() == from && passage.to() == to) {
          return Optional.of(passage.found(names, 0));
        }
      }
      return Optional.empty();
    });
  }

  /** The whole extracted text of a document; empty where it is not indexed or not readable. */
  public Optional<String> text(String document) {
    return reading(view -> {
      Optional<String> path = names.pathOf(document);
      return path.isEmpty()
          ? Optional.empty()
          : view.file(path.get()).map(d -> d.get(Fields.EXTRACT)).filter(t -> !t.isEmpty());
    });
  }

  private List<PassageDocument> all(CorpusView view, String document) throws IOException {
    Optional<String> path = names.pathOf(document);
    return path.isEmpty() ? List.of() : view.passagesOf(path.get());
  }

  private interface Question<T> {
    T of(CorpusView view) throws IOException;
  }

  /** Asks the newest committed state and keeps it open meanwhile. */
  private <T> T reading(Question<T> question) {
    try (CorpusView current = acquire()) {
      return question.of(current);
    } catch (IOException e) {
      throw new CorpusUnreadable(e);
    }
  }

  private synchronized CorpusView acquire() throws IOException {
    if (changes.mayBe()) {
      Optional<CorpusView> newer = view.newer(directory);
      if (newer.isPresent()) {
        view.close();
        view = newer.get();
      }
      changes.looked();
    }
    if (!view.acquire()) {
      throw new IllegalStateException("the corpus is closed");
    }
    return view;
  }

  @Override
  public void close() throws IOException {
    searchers.shutdownNow();
    synchronized (this) {
      view.close();
    }
    directory.close();
  }
}
