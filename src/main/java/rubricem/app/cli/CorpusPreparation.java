package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import rubricem.app.node.DiskRoom;
import rubricem.app.node.NodeSettings;
import rubricem.persistence.corpus.CorpusBusyException;
import rubricem.persistence.corpus.CorpusIndexing;
import rubricem.persistence.corpus.IndexingOutcome;
import rubricem.persistence.corpus.IndexingWatcher;
import rubricem.protocol.port.Embedder;

/**
 * Brings the corpus up to date beside everything else a command does: words first, vectors behind
 * them. A command may go on when the words are there; what is missing is made up by the next run.
 */
final class CorpusPreparation {
  private final Console console;
  private final CorpusIndexing indexing;
  private final DiskRoom room;
  private final Path folder;
  private final CompletableFuture<IndexingOutcome> outcome = new CompletableFuture<>();
  private final CountDownLatch keywords = new CountDownLatch(1);
  private final Thread thread;

  private CorpusPreparation(
      Console console, NodeSettings settings, CompletionStage<Embedder> embedder,
      List<Path> roots) {
    this.console = console;
    this.room = settings.room();
    this.folder = settings.dataDir();
    this.indexing =
        new CorpusIndexing(settings.corpusFolder(), settings.corpus(), embedder);
    this.thread =
        Thread.ofPlatform().name("corpus-indexing").daemon().start(() -> run(roots));
  }

  static CorpusPreparation start(
      Console console, NodeSettings settings, CompletionStage<Embedder> embedder,
      List<Path> roots) {
    return new CorpusPreparation(console, settings, embedder, roots);
  }

  /** The paths a user named, absolute; refused where one does not exist. */
  static List<Path> existing(List<Path> paths) {
    List<Path> found = new ArrayList<>();
    for (Path path : paths) {
      if (path.toString().isBlank()) {
        throw Failure.usage("The path of a file or folder to search is empty.");
      }
      if (!Files.exists(path)) {
        throw Failure.usage("There is no file or folder " + path + " to search.");
      }
      found.add(path.toAbsolutePath().normalize());
    }
    return List.copyOf(found);
  }

  private void run(List<Path> roots) {
    try {
      outcome.complete(indexing.run(roots, new Watcher()));
    } catch (CorpusBusyException e) {
      outcome.completeExceptionally(Failure.work(e.getMessage()));
    } catch (InvalidPathException e) {
      outcome.completeExceptionally(
          Failure.work(
              "A file name cannot be read in this locale: " + e.getInput() + ". Set LC_ALL to a"
                  + " UTF-8 locale such as C.UTF-8."));
    } catch (IOException e) {
      String full = room.filledUp(folder, e);
      outcome.completeExceptionally(notIndexed(full.isEmpty() ? e.getMessage() : full));
    } catch (RuntimeException e) {
      outcome.completeExceptionally(notIndexed(e.getMessage()));
    } catch (InterruptedException e) {
      outcome.completeExceptionally(Failure.work("The indexing was interrupted."));
    } finally {
      keywords.countDown();
    }
  }

  private static Failure notIndexed(@Nullable String reason) {
    return Failure.work("The documents could not be indexed: " + reason);
  }

  /** Waits until every document can be found by its words. */
  void awaitKeywords() {
    try {
      keywords.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (outcome.isCompletedExceptionally()) {
      await();
    }
  }

  /** Waits for the vectors too, where the wait is worth it. */
  void awaitVectors(NodeSettings.VectorWait wait, int pending) {
    if (pending > wait.passages()) {
      console.say(
          "  " + pending + " passages can be found by their words only; ./rubricem index completes"
              + " them");
      return;
    }
    try {
      outcome.get(wait.longest().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      console.say("  the meaning of some passages is not indexed yet; words are searched");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  IndexingOutcome await() {
    try {
      return outcome.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Failure failure
          ? failure
          : notIndexed(e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.work("The indexing was interrupted.");
    }
  }

  /** Ends it; what is done stays done. */
  void stop() {
    indexing.stop();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One batch of vectors and a commit take less. */
  private static final int STOP_SECONDS = 10;

  private final class Watcher implements IndexingWatcher {
    private static final int PLAIN_EVERY = 500;

    @Override
    public void onReading(int done, int total) {
      console.flicker("  reading " + done + " of " + total + " documents");
      if (!console.terminal() && done % PLAIN_EVERY == 0) {
        console.say("  reading " + done + " of " + total + " documents");
      }
    }

    @Override
    public void onKeywordsReady(int documents, int passages) {
      console.say("  " + Words.count(documents, "document") + ", " + Words.count(passages, "passage")
              + " can be searched");
      keywords.countDown();
    }

    @Override
    public void onEmbedding(int done, int total) {
      if (console.terminal()) {
        console.flicker("  " + done + " of " + total + " passages indexed by meaning");
      } else if (done == total || done % PLAIN_EVERY < 64) {
        console.say("  " + done + " of " + total + " passages indexed by meaning");
      }
    }
  }
}
