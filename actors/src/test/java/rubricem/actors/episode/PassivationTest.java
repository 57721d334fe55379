package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.pattern.StatusReply;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;

/** When an episode leaves memory: remembered ones would otherwise stay for ever. */
class PassivationTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create("passivation", ManualTime.config().withFallback(EpisodeRig.config()));
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final ManualTime time = ManualTime.get(KIT.system());
  private final EpisodeRig rig = new EpisodeRig(KIT);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private void leaves() {
    assertEquals(
        new ClusterSharding.Passivate<>(rig.episode),
        rig.shard.receiveMessage(Duration.ofSeconds(20)));
  }

  @Test
  void an_ended_episode_leaves_memory() {
    assertEquals(EpisodeStatus.COMPLETED, rig.run().status());
    time.timePasses(IDLE);
    leaves();
  }

  @Test
  void an_unknown_episode_that_was_asked_for_leaves_memory() {
    rig.describeAny();
    time.timePasses(IDLE);
    leaves();
  }

  @Test
  void an_ended_episode_that_only_woke_up_leaves_memory() {
    rig.run();
    rig.restart();
    rig.describe();
    time.timePasses(IDLE);
    leaves();
  }

  @Test
  void a_running_episode_stays() {
    rig.start();
    rig.fake.generation();
    time.timePasses(IDLE.multipliedBy(3));
    rig.describe();
    time.expectNoMessageFor(Duration.ofSeconds(60), rig.shard);
  }

  @Test
  void a_resumed_episode_stays() {
    rig.start();
    rig.fake.generation().fails(Talk.refused());
    rig.ended();
    rig.resume("other");
    rig.fake.generation();
    time.expectNoMessageFor(IDLE.multipliedBy(3), rig.shard);
  }

  @Test
  void R15_an_episode_that_hears_nothing_ends_by_its_own_timer() {
    rig.start();
    rig.fake.generation();
    pass(Duration.ofSeconds(541));
    assertEquals(0, rig.fake.generation().request().toolCallsLeft());
    pass(Duration.ofSeconds(91));
    assertEquals("deadline", rig.ended().error().orElseThrow().kind());
  }

  @Test
  void R15_the_timer_is_there_again_after_a_failed_write() {
    rig.start();
    rig.fake.generation();
    rig.storage.failNextPersisted(rig.id.value());
    rig.episode.tell(
        new EpisodeCommand.FinishEpisode(
            KIT.<StatusReply<EpisodeView>>createTestProbe().getRef()));
    new TestKit(KIT.system().classicSystem())
        .awaitCond(() -> {
          time.timePasses(Duration.ofSeconds(1));
          return rig.answers();
        });
    pass(Duration.ofSeconds(541));
    assertEquals(0, rig.fake.generation().request().toolCallsLeft());
  }

  /** Time passes for the clock first, so that what a timer wakes sees it. */
  private void pass(Duration duration) {
    rig.describe();
    rig.fake.ahead = rig.fake.ahead.plus(duration);
    time.timePasses(duration);
  }
}
