package rubricem.app.cli;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import rubricem.app.node.Embedding;
import rubricem.app.node.NodePolicies;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.http.llm.Diagnosis;
import rubricem.http.llm.OpenAiPolicy;
import rubricem.http.llm.Secret;
import rubricem.persistence.corpus.LuceneCorpus;
import rubricem.persistence.folder.CorpusRoots;
import rubricem.persistence.folder.DataFolder;
import rubricem.persistence.folder.DataFolder.FolderUnusable;
import rubricem.persistence.folder.EmbeddedJournal;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.journal.JournalUnusable;
import rubricem.protocol.port.CorpusStatus;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.port.PolicyModel;

/**
 * Looks at one thing after the other that episodes need. Makes no folder and no file that is not
 * there, and disturbs no running node.
 */
final class Examination {
  private static final long PATIENCE_SECONDS = 90;
  private static final int NAMED = 3;
  private static final int JAVA_MIN = 21;

  /** Below it the embedding model and a large corpus do not fit side by side. */
  private static final long HEAP_MIN_MB = 256;

  private final NodeSettings settings;
  private final Config config;
  private final Embedding embedding;

  Examination(NodeSettings settings, Config config, Embedding embedding) {
    this.settings = settings;
    this.config = config;
    this.embedding = embedding;
  }

  Finding java() {
    long heap = Runtime.getRuntime().maxMemory() >> 20;
    String found =
        Runtime.version() + ", heap up to " + heap + " MB, "
            + Runtime.getRuntime().availableProcessors() + " processors";
    if (Runtime.version().feature() < JAVA_MIN) {
      return Finding.problem("java", found + ". Use Java " + JAVA_MIN + " or newer.");
    }
    return heap < HEAP_MIN_MB
        ? Finding.problem("java", found + ". Give it more: RUBRICEM_HEAP=1g.")
        : Finding.ok("java", found);
  }

  Finding folder() throws IOException {
    Path folder = settings.dataDir();
    if (!Files.exists(folder)) {
      Path parent = folder;
      while (parent != null && !Files.exists(parent)) {
        parent = parent.getParent();
      }
      return parent != null && Files.isDirectory(parent) && Files.isWritable(parent)
          ? Finding.ok("data folder", folder + " is not there yet and can be made")
          : Finding.problem(
              "data folder",
              folder + " cannot be made in " + parent + ". Choose another with --data-dir.");
    }
    try {
      DataFolder.writable(folder);
    } catch (FolderUnusable e) {
      return Finding.problem("data folder", e.getMessage());
    }
    String lacking = settings.room().lackingIn(folder);
    if (!lacking.isEmpty()) {
      return Finding.problem("data folder", lacking);
    }
    if (!Files.exists(folder.resolve("node.lock"))) {
      return Finding.ok("data folder", folder + " can be written");
    }
    try (DataFolder lock = DataFolder.lock(folder)) {
      return Finding.ok("data folder", lock.path() + " can be written; no node runs on it");
    } catch (FolderUnusable e) {
      return Finding.ok(
          "data folder",
          folder + " can be written; a node is running on it, so ask needs to wait or another"
              + " --data-dir");
    }
  }

  Finding database() {
    boolean embedded = config.getString("rubricem.database.url").isBlank();
    if (embedded && !Files.exists(EmbeddedJournal.file(settings.dataDir()))) {
      return Finding.ok("database", "no journal yet; the first question makes it");
    }
    long begin = System.nanoTime();
    try (JournalDatabase database =
        JournalDatabase.open(
            DatabaseSettings.of(ResearchNode.withJournal(config, settings)))) {
      var newest = new JournalReader(database).episodes("", 1);
      return Finding.ok(
          "database",
          (embedded ? "the journal in the data folder" : "the configured database")
              + " answers in " + millisSince(begin) + " ms; "
              + (newest.isEmpty() ? "no episodes yet" : "newest episode " + newest.getFirst()));
    } catch (JournalUnusable e) {
      return Finding.problem("database", e.getMessage());
    }
  }

  Finding corpus() throws IOException {
    List<Path> roots = CorpusRoots.of(settings.dataDir()).list();
    Path index = settings.corpusFolder();
    if (roots.isEmpty() || !Files.isDirectory(index)) {
      return Finding.ok(
          "corpus",
          "nothing is read in: ./rubricem index PATH does it, or name --corpus PATH with ask");
    }
    try (LuceneCorpus corpus =
        LuceneCorpus.open(index, roots, settings.corpus(), embedding.model())) {
      CorpusStatus status = corpus.status();
      String found =
          status.documents() + " of " + status.documentsTotal() + " documents, "
              + status.passages() + " passages, " + (status.passages() - status.vectors())
              + " still without vectors" + unreadable(status);
      return status.documents() == 0
          ? Finding.problem("corpus", found + ". Run ./rubricem index PATH again.")
          : Finding.ok("corpus", found);
    }
  }

  private static String unreadable(CorpusStatus status) {
    if (status.unreadable().isEmpty()) {
      return "";
    }
    String named =
        String.join(
            "; ",
            status.unreadable().stream()
                .limit(NAMED)
                .map(u -> u.document() + ": " + u.reason())
                .toList());
    int more = status.unreadable().size() - NAMED;
    return ", " + status.unreadable().size() + " unreadable (" + named
        + (more > 0 ? "; and " + more + " more" : "") + ")";
  }

  Finding embedding() throws InterruptedException {
    String name = "embedding";
    try {
      Embedder model = await(embedding.model().toCompletableFuture());
      long begin = System.nanoTime();
      await(model.embed(List.of("How high is the tide?")).toCompletableFuture());
      return Finding.ok(
          name, model.name() + " embeds a question in " + millisSince(begin) + " ms");
    } catch (ExecutionException e) {
      return Finding.problem(
          name,
          "the model cannot be used: " + e.getCause().getMessage()
              + ". Searches go by words only; build the program again, and see that its native"
              + " libraries may be unpacked into the temporary folder.");
    } catch (TimeoutException e) {
      return Finding.problem(
          name, "the model was not there after " + PATIENCE_SECONDS + " s. Searches go by words.");
    }
  }

  Finding policy(String spec, Secret key, Clock clock) throws InterruptedException {
    String name = "policy";
    Optional<String> problem = NodePolicies.problem(spec, settings.generation());
    if (problem.isPresent()) {
      return Finding.problem(name, problem.get());
    }
    try (NodePolicies policies =
        new NodePolicies(
            settings.extractive(), settings.openai(), key, settings.generation(), embedding.model(),
            ForkJoinPool.commonPool(), clock)) {
      PolicyModel model = policies.find(spec).orElseThrow();
      if (!(model instanceof OpenAiPolicy served)) {
        return Finding.ok(name, spec + " needs nothing from outside");
      }
      Diagnosis diagnosis = await(served.doctor().toCompletableFuture());
      return new Finding(name, diagnosis.ok(), diagnosis.sentence());
    } catch (ExecutionException e) {
      return Finding.problem(name, spec + " could not be tested: " + e.getCause().getMessage());
    } catch (TimeoutException e) {
      return Finding.problem(
          name, spec + " did not answer within " + PATIENCE_SECONDS + " s. Is the server busy?");
    }
  }

  private static <T> T await(CompletableFuture<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stage.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static long millisSince(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }
}
