package rubricem.actors.episode;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.pattern.StatusReply;
import org.apache.pekko.persistence.testkit.PersistenceTestKitPlugin;
import org.apache.pekko.persistence.testkit.javadsl.PersistenceTestKit;
import org.apache.pekko.persistence.typed.PersistenceId;
import rubricem.actors.call.RetrySchedule;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeView;

/** One episode entity on a journal in memory, with ports that the test answers. */
final class EpisodeRig {
  static final Duration CANCEL_MAX = Duration.ofSeconds(2);
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final ActorTestKit kit;
  final FakePorts fake = new FakePorts();
  final PersistenceTestKit storage;
  final EpisodeId id = new EpisodeId("e" + NUMBERS.incrementAndGet());
  final TestProbe<ClusterSharding.ShardCommand> shard;
  ActorRef<EpisodeCommand> episode;

  EpisodeRig(ActorTestKit kit) {
    this.kit = kit;
    this.storage = PersistenceTestKit.create(kit.system());
    this.shard = kit.createTestProbe(ClusterSharding.ShardCommand.class);
    fake.log = FakePorts.paged(this::stored, 3);
    spawn();
  }

  static Config config() {
    return ConfigFactory.parseString("pekko.loglevel = OFF\npekko.stdout-loglevel = OFF")
        .withFallback(PersistenceTestKitPlugin.getInstance().config())
        .withFallback(ConfigFactory.parseResources("serialization.conf"))
        .withFallback(ConfigFactory.defaultReference());
  }

  static EpisodeSettings settings() {
    EpisodeSettings s = Talk.SETTINGS;
    RetrySchedule soon =
        new RetrySchedule(
            4, Duration.ofMillis(30), Duration.ofMillis(60), Duration.ofSeconds(30));
    return new EpisodeSettings(
        soon, soon, soon, soon, s.turnsBeyondToolCalls(), s.servedMax(), s.violationsInARow(),
        s.finalTurnsMax(), s.finishReserve(), s.finishReserveMax(), s.grace(), s.policyTimeout(),
        s.toolTimeout(), s.maxTokens(), s.promptCharsMax(), s.unreadableNamed());
  }

  private void spawn() {
    episode =
        kit.spawn(
            ResearchEpisode.create(
                id, PersistenceId.ofUniqueId(id.value()), shard.getRef(), fake.ports(),
                settings()));
  }

  /** The process dies and comes back. */
  void restart() {
    kit.stop(episode);
    spawn();
  }

  List<EventStored> stored() {
    List<EventStored> stored = new ArrayList<>();
    for (Object event : storage.persistedInStorage(id.value())) {
      stored.add(new EventStored(stored.size() + 1L, (EpisodeEvent) event));
    }
    return stored;
  }

  private StatusReply<EpisodeView> ask(
      java.util.function.Function<ActorRef<StatusReply<EpisodeView>>, EpisodeCommand> command) {
    TestProbe<StatusReply<EpisodeView>> probe = kit.createTestProbe();
    episode.tell(command.apply(probe.getRef()));
    return probe.receiveMessage(Duration.ofSeconds(20));
  }

  StatusReply<EpisodeView> start() {
    return ask(r -> new EpisodeCommand.StartEpisode(Talk.request(Talk.LIMITS), r));
  }

  StatusReply<EpisodeView> startOther() {
    return ask(
        r ->
            new EpisodeCommand.StartEpisode(
                Talk.request(new rubricem.protocol.episode.EpisodeLimits(1, 1, 1, 1)), r));
  }

  EpisodeView describe() {
    return ask(EpisodeCommand.DescribeEpisode::new).getValue();
  }

  /** Whether it is there at all just now. */
  boolean answers() {
    TestProbe<StatusReply<EpisodeView>> probe = kit.createTestProbe();
    episode.tell(new EpisodeCommand.DescribeEpisode(probe.getRef()));
    try {
      return probe.receiveMessage(Duration.ofMillis(300)).isSuccess();
    } catch (AssertionError nothingCame) {
      return false;
    }
  }

  StatusReply<EpisodeView> describeAny() {
    return ask(EpisodeCommand.DescribeEpisode::new);
  }

  EpisodeView cancel() {
    return ask(EpisodeCommand.CancelEpisode::new).getValue();
  }

  EpisodeView finish() {
    return ask(EpisodeCommand.FinishEpisode::new).getValue();
  }

  EpisodeView resume(String policy) {
    return ask(r -> new EpisodeCommand.ResumeEpisode(policy, r)).getValue();
  }

  TestProbe<EpisodeProgress> watch(long after) {
    TestProbe<EpisodeProgress> probe = kit.createTestProbe(EpisodeProgress.class);
    episode.tell(new EpisodeCommand.WatchEpisode(after, probe.getRef()));
    return probe;
  }

  /** What {@code watcher} is told of stored events, up to the last word. */
  List<EventStored> toldOf(TestProbe<EpisodeProgress> watcher) {
    List<EventStored> told = new ArrayList<>();
    while (true) {
      EpisodeProgress progress = watcher.receiveMessage(Duration.ofSeconds(20));
      if (progress instanceof EventStored event) {
        told.add(event);
      } else if (progress instanceof EpisodeProgress.WatchEnded) {
        return told;
      }
    }
  }

  /** From question to report with one search. */
  EpisodeView run() {
    search();
    fake.check().complete(List.of());
    return ended();
  }

  /** The same until the answer is being checked. */
  void search() {
    start();
    fake.generation().says(Talk.OPEN + Talk.call("moon"));
    fake.search().finds(Talk.passage(1));
    fake.generation().says(Talk.ANSWER);
  }

  EpisodeView ended() {
    toldOf(watch(0));
    return describe();
  }

  /** Waits until the episode itself waits. */
  void toldOfWaiting() {
    awaitEvents(3);
  }

  void awaitEvents(int count) {
    TestProbe<EpisodeProgress> watcher = watch(0);
    for (int seen = 0; seen < count; ) {
      seen += watcher.receiveMessage(Duration.ofSeconds(20)) instanceof EventStored ? 1 : 0;
    }
    watcher.stop();
  }
}
