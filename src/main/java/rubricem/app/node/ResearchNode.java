package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import rubricem.actors.citation.ClaimChecker;
import rubricem.actors.episode.EpisodePorts;
import rubricem.actors.tool.LocalSearch;
import rubricem.http.llm.Secret;
import rubricem.persistence.folder.EmbeddedJournal;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.StoredEvents;
import rubricem.persistence.run.RunFolders;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.AnswerChecker;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.port.Tool;
import rubricem.protocol.report.CheckedAnswer;
import rubricem.protocol.run.TrainingRuns;

/**
 * A running node: the host of the episodes, the corpora, the embedding model and the policies,
 * wired together. The composition root of everything that runs episodes for a user.
 */
public final class ResearchNode implements AutoCloseable {
  private final NodeSettings settings;
  private final Embedding embedding;
  private final ExecutorService executor =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("node-", 0).factory());
  private final Corpora corpora;
  private final NodePolicies policies;
  private final EpisodeHost episodes;
  private final StorageWatch storage;

  /**
   * Starts it.
   *
   * @param remember whether unfinished episodes start by themselves; a command that runs one
   *     episode leaves the others alone
   */
  public ResearchNode(
      Config config, NodeSettings settings, Secret openaiKey, boolean remember, Clock clock) {
    this.settings = settings;
    this.embedding = new Embedding(settings.vectorsKept());
    this.corpora =
        new Corpora(settings.corpusFolder(), settings.corpus(), embedding.model());
    this.policies =
        new NodePolicies(
            settings.extractive(), settings.openai(), openaiKey, settings.generation(),
            embedding.model(), executor, clock);
    try {
      this.episodes =
          EpisodeHost.start(
              withJournal(config, settings), settings.episode(), db -> ports(db, clock), remember);
    } catch (RuntimeException e) {
      closeBeside();
      throw e;
    }
    this.storage =
        StorageWatch.start(
            settings.dataDir(),
            List.of(EmbeddedJournal.file(settings.dataDir()), settings.corpusFolder()),
            settings.room(), episodes::journalTakesWrites, System::nanoTime);
    episodes.onRefusal(failure -> storage.refused(failure.noRoom()));
  }

  /** The configuration with the embedded journal in the data folder where no other is named. */
  public static Config withJournal(Config config, NodeSettings settings) {
    return config.getString("rubricem.database.url").isBlank()
        ? config.withValue(
            "rubricem.database.url",
            ConfigValueFactory.fromAnyRef(EmbeddedJournal.address(settings.dataDir())))
        : config;
  }

  private EpisodePorts ports(JournalDatabase database, Clock clock) {
    return new EpisodePorts(
        policies, this::tools, checker(), new StoredEvents(database), new PromptResources(),
        this::searched, clock);
  }

  private List<Tool> tools(EpisodeRequest request) {
    List<Tool> tools = new ArrayList<>();
    if (request.sources().contains("corpus")) {
      tools.add(
          new LocalSearch(
              corpora.of(request.corpus()), settings.episode().unreadableNamed(), executor));
    }
    return tools;
  }

  private Searched searched(EpisodeRequest request) {
    return request.sources().contains("corpus")
        ? corpora.of(request.corpus()).status().searched(settings.episode().unreadableNamed())
        : Searched.NOTHING;
  }

  private AnswerChecker checker() {
    ClaimChecker checker = new ClaimChecker(settings.citations());
    return bound ->
        embedding.model()
            .handle((model, failure) -> Optional.<Embedder>ofNullable(model))
            .thenCompose(model -> checker.check(bound, model))
            .thenApply(CheckedAnswer::verdicts);
  }

  public EpisodeHost episodes() {
    return episodes;
  }

  public Corpora corpora() {
    return corpora;
  }

  /** The training runs of the data folder. */
  public TrainingRuns runs(Executor reading) {
    return new RunFolders(settings.runsFolder(), reading);
  }

  /** Whether what is stored can be used. */
  public StorageWatch storage() {
    return storage;
  }

  public Embedding embedding() {
    return embedding;
  }

  @Override
  public void close() {
    storage.close();
    episodes.close();
    closeBeside();
  }

  private void closeBeside() {
    policies.close();
    corpora.close();
    embedding.close();
    executor.shutdown();
  }
}
