package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;
import rubricem.persistence.corpus.CorpusScan.Found;
import rubricem.protocol.evidence.UnreadableKind;
import rubricem.protocol.port.Embedder;

/**
 * Brings the index up to date with the folders: reads what is new or changed, drops what is gone,
 * then adds the vectors that are missing. A file and its passages are replaced in one step, so an
 * interruption at any instant leaves whole documents and no duplicate; the next run goes on from
 * the last commit. Opens the index for writing only where there is something to write. One run
 * at a time; the calling thread does the work.
 */
public final class CorpusIndexing {
  private final Path folder;
  private final CorpusSettings settings;
  private final CompletionStage<Embedder> embedder;
  private volatile boolean stopped;

  /** @param folder where the index lives; made when it is first written */
  public CorpusIndexing(
      Path folder, CorpusSettings settings, CompletionStage<Embedder> embedder) {
    this.folder = folder;
    this.settings = settings;
    this.embedder = embedder;
  }

  /** Ends a run early; what is done stays done. */
  public void stop() {
    stopped = true;
  }

  /**
   * Runs until everything is indexed or {@link #stop()} is called.
   *
   * @throws CorpusBusyException where another process is writing this index
   */
  public IndexingOutcome run(List<Path> roots, IndexingWatcher watcher)
      throws IOException, InterruptedException {
    CorpusScan scan = CorpusScan.of(roots, settings.filesMax());
    List<Path> canonical = roots.stream().map(CorpusScan::canonical).toList();
    Files.createDirectories(folder);
    try (FSDirectory directory = FSDirectory.open(folder)) {
      List<String> notes = new ArrayList<>();
      try (CorpusView before = CorpusView.open(directory)) {
        Changes changes = Changes.between(scan, before.files(canonical), canonical);
        if (changes.isEmpty()) {
          keywordsReady(before, canonical, watcher);
          if (!vectorsPending(before, canonical)) {
            return outcome(before, canonical, scan, changes, notes);
          }
        }
        write(directory, canonical, scan, changes, watcher, notes);
        try (CorpusView after = CorpusView.open(directory)) {
          return outcome(after, canonical, scan, changes, notes);
        }
      }
    }
  }

  private static void keywordsReady(CorpusView view, List<Path> roots, IndexingWatcher watcher)
      throws IOException {
    CorpusView.Count count = view.status(roots);
    watcher.onKeywordsReady(count.documents(), count.passages());
  }

  /** Vectors of another model than today's are as good as none; only the model can tell. */
  private boolean vectorsPending(CorpusView view, List<Path> roots)
      throws IOException, InterruptedException {
    try {
      CorpusView.Count count = view.status(roots);
      if (count.vectorsPending() > 0 || count.passages() == 0) {
        return count.vectorsPending() > 0;
      }
      String model = embedder.toCompletableFuture().get().name();
      return view.status(roots, model).vectorsPending() > 0;
    } catch (ExecutionException e) {
      return false;
    }
  }

  private void write(
      FSDirectory directory, List<Path> roots, CorpusScan scan, Changes changes,
      IndexingWatcher watcher, List<String> notes)
      throws IOException, InterruptedException {
    IndexWriterConfig config = new IndexWriterConfig(CorpusAnalysis.perField());
    config.setRAMBufferSizeMB(settings.indexBufferMb());
    config.setCommitOnClose(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      if (!changes.isEmpty()) {
        readFiles(writer, directory, scan, changes, watcher);
      }
      if (!changes.isEmpty() && !stopped) {
        try (CorpusView view = CorpusView.open(directory)) {
          keywordsReady(view, roots, watcher);
        }
      }
      if (!stopped) {
        new VectorPass(writer, directory, settings, embedder, () -> stopped)
            .run(roots, watcher)
            .ifPresent(notes::add);
      }
    } catch (LockObtainFailedException e) {
      throw new CorpusBusyException(folder);
    }
  }

  private void readFiles(
      IndexWriter writer, FSDirectory directory, CorpusScan scan, Changes changes,
      IndexingWatcher watcher)
      throws IOException, InterruptedException {
    DocumentReader reader = new DocumentReader(settings);
    TimedReading timed = new TimedReading(settings.readTimeout());
    RepeatedText repeated =
        new RepeatedText(scan.files().values(), reader, timed, settings.fileBytesMax());
    ReadingTools reading = new ReadingTools(reader, repeated, timed);
    long commitNanos = settings.commitEvery().toNanos();
    try (VectorMemory memory = new VectorMemory(directory)) {
      for (String gone : changes.gone()) {
        writer.deleteDocuments(new Term(Fields.PATH, gone));
      }
      long last = System.nanoTime();
      int done = 0;
      @Nullable Underway ahead = null;
      for (int i = 0; i < changes.read().size() && !stopped; i++) {
        Underway current = ahead == null ? start(changes.read().get(i), reading) : ahead;
        boolean more = i + 1 < changes.read().size();
        ahead = more ? start(changes.read().get(i + 1), reading) : null;
        current.write(writer, settings.passageWords(), memory);
        watcher.onReading(++done, changes.read().size());
        if (System.nanoTime() - last > commitNanos) {
          writer.commit();
          last = System.nanoTime();
        }
      }
      writer.commit();
    }
  }

  private record ReadingTools(DocumentReader reader, RepeatedText repeated, TimedReading timed) {}

  /** A file that is being read while the one before it is written. */
  private record Underway(Found found, String[] hash, TimedReading.Running reading) {
    void write(IndexWriter writer, int passageWords, VectorMemory memory)
        throws IOException, InterruptedException {
      Reading read = reading.result();
      writer.updateDocuments(
          new Term(Fields.PATH, found.path().toString()),
          new DocumentBlock(found, hash[0], passageWords, memory).of(read));
    }
  }

  private Underway start(Found found, ReadingTools tools) throws InterruptedException {
    String[] hash = {""};
    Set<String> repeated = tools.repeated().of(found.path());
    return new Underway(
        found,
        hash,
        tools.timed().start(
            () -> {
              if (found.closed().isPresent()) {
                return new Reading.Unreadable(found.closed().get());
              }
              if (found.size() > settings.fileBytesMax()) {
                return new Reading.Unreadable(
                    UnreadableKind.TOO_LARGE, "" + settings.fileBytesMax());
              }
              byte[] bytes = Files.readAllBytes(found.path());
              hash[0] = sha256(bytes);
              String name = found.path().getFileName().toString();
              return tools.reader().read(bytes, name, repeated);
            }));
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private IndexingOutcome outcome(
      CorpusView view, List<Path> roots, CorpusScan scan, Changes changes, List<String> notes)
      throws IOException {
    CorpusView.Count count = view.status(roots);
    List<IndexingOutcome.Problem> problems = new ArrayList<>(scan.problems());
    if (problems.isEmpty() && count.documents() == 0) {
      problems.add(
          new IndexingOutcome.Problem(
              String.join(", ", roots.stream().map(Path::toString).toList()),
              "holds no document that can be read"));
    }
    return new IndexingOutcome(
        count.documents(), changes.read().size(), changes.gone().size(), count.passages(),
        count.vectorsPending(), stopped, view.unreadable(roots, new DocumentNames(roots)),
        List.copyOf(problems), List.copyOf(notes));
  }
}
