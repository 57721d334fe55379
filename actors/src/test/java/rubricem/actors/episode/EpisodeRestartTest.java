package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.pattern.StatusReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

/** The episode as an actor that restarts, and whose writes fail. */
class EpisodeRestartTest {
  @RegisterExtension static final EpisodeKit KIT = new EpisodeKit();

  private final EpisodeRig rig = new EpisodeRig(KIT.actors);

  @Test
  void R16_after_a_restart_the_pending_policy_call_is_repeated_with_the_same_id() {
    rig.start();
    FakePorts.Generation lost = rig.fake.generation();
    rig.restart();
    FakePorts.Generation again = rig.fake.generation();
    assertEquals(lost.request(), again.request());
    again.says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    assertEquals(1, rig.describe().usage().repeatedCalls());
  }

  @Test
  void R16_a_command_that_waited_out_the_recovery_makes_no_call_that_is_not_counted() {
    rig.start();
    rig.fake.generation();
    rig.restart();
    rig.resume("other");
    FakePorts.Generation again = rig.fake.generation();
    again.says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    assertEquals(1, rig.describe().usage().repeatedCalls());
  }

  @Test
  void R16_after_a_restart_the_pending_tool_call_is_repeated_and_no_finished_one() {
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    FakePorts.Search lost = rig.fake.search();
    rig.restart();
    FakePorts.Search again = rig.fake.search();
    assertEquals(lost.request(), again.request());
    again.finds(Talk.passage(1));
    rig.fake.generation().says(Talk.ANSWER);
    rig.fake.check().complete(List.of());
    EpisodeView view = rig.ended();
    assertEquals(1, view.usage().repeatedCalls());
    assertTrue(rig.fake.generations.isEmpty());
  }

  @Test
  void R16_after_a_restart_the_pending_check_is_repeated() {
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search().finds(Talk.passage(1));
    rig.fake.generation().says(Talk.ANSWER);
    rig.fake.check();
    rig.restart();
    rig.fake.check().complete(List.of());
    assertEquals(EpisodeStatus.COMPLETED, rig.ended().status());
  }

  @Test
  void a_restart_during_a_wait_repeats_nothing_before_the_wait_is_over() {
    rig.start();
    rig.fake.generation().fails(Talk.busy(Duration.ofMillis(700)));
    rig.toldOfWaiting();
    rig.restart();
    FakePorts.Generation again = rig.fake.generation();
    assertEquals(2, again.request().attempt());
    assertEquals(0, rig.describe().usage().repeatedCalls());
  }

  @Test
  void the_recovered_state_is_the_one_that_lived() {
    EpisodeView lived = rig.run();
    rig.restart();
    assertEquals(lived, rig.describe());
  }

  // -- storage faults ---------------------------------------------------------------------------

  @Test
  void a_write_that_fails_loses_nothing_whichever_it_is() {
    EpisodeView undisturbed = rig.run();
    for (int failing = 1; failing <= 4; failing++) {
      EpisodeRig faulty = new EpisodeRig(KIT.actors);
      EpisodeView view = new FaultyRun(faulty, failing).play();
      assertEquals(EpisodeStatus.COMPLETED, view.status(), "write " + failing);
      assertEquals(1, view.usage().repeatedCalls(), "write " + failing);
      assertEquals(undisturbed.answer(), view.answer());
    }
  }

  /** Plays an episode whose n-th write after the start fails once: its call comes again. */
  private record FaultyRun(EpisodeRig rig, int failing) {
    EpisodeView play() {
      rig.start();
      TestProbe<EpisodeProgress> watcher = rig.watch(0);
      first().says(Talk.OPEN + Talk.call("moon"));
      if (failing == 1) {
        rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
      }
      FakePorts.Search search = rig.fake.search();
      fail(2);
      search.finds(Talk.passage(1));
      if (failing == 2) {
        rig.fake.search().finds(Talk.passage(1));
      }
      FakePorts.Generation last = rig.fake.generation();
      fail(3);
      last.says(Talk.ANSWER);
      if (failing == 3) {
        rig.fake.generation().says(Talk.ANSWER);
      }
      CompletableFuture<List<rubricem.protocol.report.ClaimVerdict>> check = rig.fake.check();
      fail(4);
      check.complete(List.of());
      if (failing == 4) {
        rig.fake.check().complete(List.of());
      }
      List<EventStored> told = rig.toldOf(watcher);
      assertEquals(rig.stored(), told);
      return rig.describe();
    }

    private FakePorts.Generation first() {
      FakePorts.Generation generation = rig.fake.generation();
      fail(1);
      return generation;
    }

    private void fail(int write) {
      if (write == failing) {
        rig.storage.failNextPersisted(rig.id.value());
      }
    }
  }

  @Test
  void a_failed_write_of_a_command_leaves_the_call_in_flight_alone() {
    rig.start();
    FakePorts.Generation generation = rig.fake.generation();
    rig.storage.failNextPersisted(rig.id.value());
    TestProbe<StatusReply<EpisodeView>> finish = KIT.actors.createTestProbe();
    rig.episode.tell(new EpisodeCommand.FinishEpisode(finish.getRef()));
    // what comes now is behind the journal's refusals of each of the write's events
    finish.expectNoMessage(Duration.ofMillis(100));
    assertEquals(0, rig.describe().usage().repeatedCalls());
    generation.says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    assertTrue(rig.fake.generations.isEmpty());
  }

  @Test
  void who_asked_hears_that_nothing_could_be_stored_and_asks_again() {
    rig.storage.failNextPersisted(rig.id.value());
    StatusReply<EpisodeView> refused = rig.start();
    assertTrue(refused.isError());
    assertEquals(Episodes.NotStored.SAID, refused.getError().getMessage());
    assertTrue(rig.start().isSuccess());
    rig.fake.generation();
    rig.storage.failNextPersisted(rig.id.value());
    TestProbe<StatusReply<EpisodeView>> cancel = KIT.actors.createTestProbe();
    rig.episode.tell(new EpisodeCommand.CancelEpisode(cancel.getRef()));
    assertEquals(
        Episodes.NotStored.SAID, cancel.receiveMessage().getError().getMessage());
    assertEquals(EpisodeStatus.CANCELLED, rig.cancel().status());
  }

  @Test
  void documents_that_cannot_be_read_now_are_no_refusal_and_name_no_path() {
    rig.fake.unreadable = true;
    assertEquals(Episodes.NotStored.SAID, rig.start().getError().getMessage());
    rig.fake.unreadable = false;
    assertTrue(rig.start().isSuccess());
  }
}
