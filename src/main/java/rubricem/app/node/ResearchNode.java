package rubricem.app.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.pattern.StatusReply;
import org.apache.pekko.persistence.typed.PersistenceId;
import rubricem.actors.citation.ClaimChecker;
import rubricem.actors.episode.EpisodePorts;
import rubricem.actors.episode.ResearchEpisode;
import rubricem.actors.tool.LocalSearch;
import rubricem.http.llm.Secret;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalExtension;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.journal.StoredEvents;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.AnswerChecker;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.port.PolicyCatalog;
import rubricem.protocol.port.Tool;
import rubricem.protocol.report.CheckedAnswer;

/**
 * A running node: the actor system with its cluster of one, the journal, the corpora and the
 * policies, wired together. The composition root of everything that runs episodes.
 */
public final class ResearchNode implements AutoCloseable {
  private static final Duration ASK = Duration.ofSeconds(20);
  private static final Duration STOP = Duration.ofSeconds(10);

  private final ActorSystem<Void> system;
  private final ClusterSharding sharding;
  private final Corpora corpora;
  private final Embedding embedding;
  private final AutoCloseable policies;
  private final ExecutorService executor;

  private ResearchNode(
      ActorSystem<Void> system, Corpora corpora, Embedding embedding, AutoCloseable policies,
      ExecutorService executor) {
    this.system = system;
    this.sharding = ClusterSharding.get(system);
    this.corpora = corpora;
    this.embedding = embedding;
    this.policies = policies;
    this.executor = executor;
  }

  /**
   * @param remember whether unfinished episodes start by themselves; a command that runs one
   *     episode leaves the others alone
   */
  public static ResearchNode start(
      Config config, NodeSettings settings, Secret openaiKey, boolean remember, Clock clock) {
    Embedding embedding = new Embedding();
    ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("node-", 0).factory());
    Corpora corpora =
        new Corpora(
            settings.dataDir().resolve("corpus"), settings.corpus(), embedding.model());
    NodePolicies policies =
        new NodePolicies(settings.openai(), openaiKey, embedding.model(), executor, clock);
    ActorSystem<Void> system =
        ActorSystem.create(Behaviors.empty(), "rubricem", withJournal(config, settings));
    try {
      JournalDatabase database = JournalExtension.get(Adapter.toClassic(system)).database();
      ResearchNode node = new ResearchNode(system, corpora, embedding, policies, executor);
      node.join();
      node.host(settings, policies, database, remember, clock);
      return node;
    } catch (RuntimeException e) {
      system.terminate();
      throw e;
    }
  }

  /** The configuration with the embedded journal in the data folder where no other is named. */
  public static Config withJournal(Config config, NodeSettings settings) {
    if (!config.getString("rubricem.database.url").isBlank()) {
      return config;
    }
    return config
        .withValue(
            "rubricem.database.url",
            ConfigValueFactory.fromAnyRef(embeddedUrl(settings.dataDir())))
        .withFallback(ConfigFactory.empty());
  }

  /**
   * The write delay is long because every group of writes ends with its own checkpoint;
   * {@code AUTO_SERVER} lets replay read while a node runs.
   */
  private static String embeddedUrl(Path dataDir) {
    return "jdbc:h2:file:" + dataDir.resolve("journal")
        + ";WRITE_DELAY=10000;AUTO_SERVER=TRUE";
  }

  private void join() {
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
  }

  private void host(
      NodeSettings settings, PolicyCatalog policies, JournalDatabase database, boolean remember,
      Clock clock) {
    EpisodePorts ports =
        new EpisodePorts(
            policies,
            request -> tools(request, settings),
            checker(settings),
            new StoredEvents(database),
            new PromptResources(),
            request -> searched(request, settings),
            clock);
    sharding.init(
        Entity.of(
                EpisodeCommand.KEY,
                entity ->
                    ResearchEpisode.create(
                        new EpisodeId(entity.getEntityId()),
                        PersistenceId.of(EpisodeCommand.KEY.name(), entity.getEntityId()),
                        entity.getShard(), ports, settings.episode()))
            .withStopMessage(ResearchEpisode.stopMessage())
            .withSettings(
                ClusterShardingSettings.create(system).withRememberEntities(remember)));
  }

  private List<Tool> tools(EpisodeRequest request, NodeSettings settings) {
    List<Tool> tools = new ArrayList<>();
    if (request.sources().contains("corpus")) {
      tools.add(
          new LocalSearch(
              corpora.of(request.corpus()), settings.episode().unreadableNamed(), executor));
    }
    return tools;
  }

  private Searched searched(EpisodeRequest request, NodeSettings settings) {
    return request.sources().contains("corpus")
        ? corpora.of(request.corpus()).status().searched(settings.episode().unreadableNamed())
        : Searched.NOTHING;
  }

  private AnswerChecker checker(NodeSettings settings) {
    ClaimChecker checker = new ClaimChecker(settings.citations());
    return bound ->
        embedding.model()
            .handle((model, failure) -> java.util.Optional.<Embedder>ofNullable(model))
            .thenCompose(model -> checker.check(bound, model))
            .thenApply(CheckedAnswer::verdicts);
  }

  public Corpora corpora() {
    return corpora;
  }

  public Embedding embedding() {
    return embedding;
  }

  public JournalReader journal() {
    return new JournalReader(JournalExtension.get(Adapter.toClassic(system)).database());
  }

  public CompletionStage<EpisodeView> startEpisode(EpisodeId id, EpisodeRequest request) {
    return asked(id, replyTo -> new EpisodeCommand.StartEpisode(request, replyTo));
  }

  public CompletionStage<EpisodeView> describe(EpisodeId id) {
    return asked(id, EpisodeCommand.DescribeEpisode::new);
  }

  public CompletionStage<EpisodeView> resume(EpisodeId id, String policy) {
    return asked(id, replyTo -> new EpisodeCommand.ResumeEpisode(policy, replyTo));
  }

  public CompletionStage<EpisodeView> cancel(EpisodeId id) {
    return asked(id, EpisodeCommand.CancelEpisode::new);
  }

  public CompletionStage<EpisodeView> finish(EpisodeId id) {
    return asked(id, EpisodeCommand.FinishEpisode::new);
  }

  private CompletionStage<EpisodeView> asked(
      EpisodeId id,
      java.util.function.Function<ActorRef<StatusReply<EpisodeView>>, EpisodeCommand>
          command) {
    EntityRef<EpisodeCommand> episode = sharding.entityRefFor(EpisodeCommand.KEY, id.value());
    return episode.<EpisodeView>askWithStatus(command::apply, ASK);
  }

  /** Tells {@code watcher} everything from event {@code after} on until the episode ends. */
  public void watch(EpisodeId id, long after, java.util.function.Consumer<EpisodeProgress> watcher) {
    ActorRef<EpisodeProgress> ref =
        system.systemActorOf(
            Behaviors.receiveMessage(
                progress -> {
                  watcher.accept(progress);
                  return progress instanceof EpisodeProgress.WatchEnded
                      ? Behaviors.stopped()
                      : Behaviors.same();
                }),
            "watcher-" + id + "-" + System.nanoTime(),
            org.apache.pekko.actor.typed.Props.empty());
    sharding
        .entityRefFor(EpisodeCommand.KEY, id.value())
        .tell(new EpisodeCommand.WatchEpisode(after, ref));
  }

  public ActorSystem<Void> system() {
    return system;
  }

  @Override
  public void close() {
    system.terminate();
    try {
      system.getWhenTerminated().toCompletableFuture().get(
          STOP.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
      policies.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      org.slf4j.LoggerFactory.getLogger(ResearchNode.class).warn("stopping took too long", e);
    }
    corpora.close();
    embedding.close();
    executor.shutdown();
  }
}
