package rubricem.app.node;

import com.typesafe.config.Config;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
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
import org.slf4j.LoggerFactory;
import rubricem.actors.episode.EpisodePorts;
import rubricem.actors.episode.EpisodeSettings;
import rubricem.actors.episode.ResearchEpisode;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalExtension;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.journal.JournalUnusable;
import rubricem.persistence.journal.StoredEpisodes;
import rubricem.persistence.journal.StoredEvents;
import rubricem.persistence.journal.StoredRequestKeys;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeIndex;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;
import rubricem.protocol.episode.EventLog;

/**
 * An actor system with a cluster of one that hosts episodes, and the commands to them as calls. It
 * knows no policy, tool or corpus: those come in as ports.
 */
public final class EpisodeHost implements AutoCloseable {
  private static final Duration ASK = Duration.ofSeconds(20);
  private static final Duration TRIAL = Duration.ofSeconds(5);
  private static final Duration STOP = Duration.ofSeconds(10);

  /** After a write that failed an episode knows by then what became of its command. */
  private static final Duration SOON = Duration.ofMillis(500);

  private final ActorSystem<Void> system;
  private final ClusterSharding sharding;
  private final JournalDatabase database;
  private final AtomicLong watches = new AtomicLong();
  private final UnansweredCommands unanswered = new UnansweredCommands();
  private final AtomicBoolean givingUp = new AtomicBoolean();
  private volatile Consumer<JournalUnusable> refusals = failure -> {};

  private EpisodeHost(ActorSystem<Void> system, JournalDatabase database) {
    this.system = system;
    this.sharding = ClusterSharding.get(system);
    this.database = database;
    database.onRefusal(this::refused);
  }

  /**
   * @param ports made once the journal is open
   * @param remember whether unfinished episodes start by themselves
   * @throws SystemUnstartable where the actor system cannot be made of the configuration
   */
  public static EpisodeHost start(
      Config config, EpisodeSettings settings, Function<JournalDatabase, EpisodePorts> ports,
      boolean remember) {
    try {
      return startOn(
          ActorSystem.create(Behaviors.empty(), "rubricem", config), settings, ports, remember);
    } catch (JournalUnusable e) {
      throw e;
    } catch (Exception | LinkageError e) { // Scala throws what Java would have to declare
      throw new SystemUnstartable(config, e);
    }
  }

  private static EpisodeHost startOn(
      ActorSystem<Void> system, EpisodeSettings settings,
      Function<JournalDatabase, EpisodePorts> ports, boolean remember) {
    try {
      GivenDispatchers.make(system);
      JournalDatabase database = JournalExtension.get(Adapter.toClassic(system)).database();
      database.claim();
      EpisodeHost host = new EpisodeHost(system, database);
      Cluster cluster = Cluster.get(system);
      cluster.manager().tell(Join.create(cluster.selfMember().address()));
      host.host(settings, ports.apply(database), remember);
      return host;
    } catch (Throwable e) {
      system.terminate();
      throw e;
    }
  }

  private void host(EpisodeSettings settings, EpisodePorts ports, boolean remember) {
    sharding.init(
        Entity.of(
                EpisodeCommand.KEY,
                entity ->
                    ResearchEpisode.create(
                        new EpisodeId(entity.getEntityId()),
                        PersistenceId.of(EpisodeCommand.KEY.name(), entity.getEntityId()),
                        entity.getShard(), ports, settings))
            .withStopMessage(ResearchEpisode.stopMessage())
            .withEntityProps(DispatcherSelector.fromConfig("rubricem.episode-dispatcher"))
            .withSettings(
                ClusterShardingSettings.create(system).withRememberEntities(remember)));
  }

  /** @param listener hears of every write that the database did not take, as it happens */
  void onRefusal(Consumer<JournalUnusable> listener) {
    refusals = listener;
  }

  private void refused(JournalUnusable failure) {
    refusals.accept(failure);
    if (!givingUp.getAndSet(true)) {
      system.scheduler().scheduleOnce(
          SOON,
          () -> {
            givingUp.set(false);
            unanswered.giveUp();
          },
          system.executionContext());
    }
  }

  /** Tries it; waits for the answer, but not for long. */
  boolean journalTakesWrites() {
    try {
      database.tryToWrite().toCompletableFuture().get(TRIAL.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  public JournalReader journal() {
    return new JournalReader(database);
  }

  public CompletionStage<EpisodeView> start(EpisodeId id, EpisodeRequest request) {
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
      EpisodeId id, Function<ActorRef<StatusReply<EpisodeView>>, EpisodeCommand> command) {
    EntityRef<EpisodeCommand> episode = sharding.entityRefFor(EpisodeCommand.KEY, id.value());
    return unanswered.heard(episode.<EpisodeView>askWithStatus(command::apply, ASK));
  }

  /** What is stored of every episode. */
  public EpisodeIndex index() {
    return new StoredEpisodes(database);
  }

  /** Which episode a repeated request means. */
  public StoredRequestKeys requestKeys() {
    return new StoredRequestKeys(database, Clock.systemUTC());
  }

  /** The actor system that the episodes run in; a server may stand on it too. */
  public ActorSystem<Void> system() {
    return system;
  }

  /** The events of every episode, for those who come later. */
  public EventLog eventLog() {
    return new StoredEvents(database);
  }

  /** Tells {@code watcher} everything from event {@code after} on until the episode ends. */
  public Episodes.Watch watch(EpisodeId id, long after, Consumer<EpisodeProgress> watcher) {
    AtomicBoolean open = new AtomicBoolean(true);
    ActorRef<EpisodeProgress> ref =
        system.systemActorOf(
            Behaviors.receiveMessage(
                progress -> {
                  if (open.get()) {
                    watcher.accept(progress);
                  }
                  return !open.get() || progress instanceof EpisodeProgress.WatchEnded
                      ? Behaviors.stopped()
                      : Behaviors.same();
                }),
            "watcher-" + id + "-" + watches.incrementAndGet(),
            Props.empty());
    sharding
        .entityRefFor(EpisodeCommand.KEY, id.value())
        .tell(new EpisodeCommand.WatchEpisode(after, ref));
    return () -> {
      if (open.getAndSet(false)) {
        // any message ends it now, and this one says what has happened
        ref.tell(new EpisodeProgress.WatchEnded(Optional.empty()));
      }
    };
  }

  @Override
  public void close() {
    system.terminate();
    try {
      system.getWhenTerminated().toCompletableFuture().get(
          STOP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LoggerFactory.getLogger(EpisodeHost.class).warn("stopping took too long", e);
    }
    // here and not only when the system has ended: the process may end right behind this
    database.close();
  }
}
