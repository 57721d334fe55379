package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.pattern.StatusReply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.Episodes;

/** The episode as an actor: its commands, its restarts, those who watch it. */
class ResearchEpisodeTest {
  private static final ActorTestKit KIT = ActorTestKit.create("episodes", EpisodeRig.config());

  private final EpisodeRig rig = new EpisodeRig(KIT);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void an_episode_from_question_to_report() {
    EpisodeView view = rig.run();
    assertEquals(EpisodeStatus.COMPLETED, view.status());
    assertEquals(Optional.of(EpisodeOutcome.ANSWERED), view.outcome());
    assertEquals(1, view.citations().size());
    assertEquals(rig.stored().size(), view.eventCount());
    assertEquals(0, view.usage().repeatedCalls());
  }

  @Test
  void the_same_start_again_is_the_same_episode_and_another_is_refused() {
    rig.start();
    assertEquals(rig.id, rig.start().getValue().id());
    assertTrue(rig.startOther().getError().getMessage().contains("asks something else"));
    rig.fake.generation();
    assertTrue(rig.fake.generations.isEmpty());
  }

  @Test
  void an_unknown_episode_is_said_to_be_unknown() {
    assertTrue(rig.describeAny().getError().getMessage().contains("there is no episode"));
    EpisodeProgress.WatchEnded ended =
        (EpisodeProgress.WatchEnded) rig.watch(0).receiveMessage();
    assertEquals(Optional.empty(), ended.view());
  }

  @Test
  void a_start_whose_documents_cannot_be_opened_is_refused_with_the_reason() {
    rig.fake.tools = () -> {
      throw new IllegalStateException("the index is broken");
    };
    assertTrue(rig.start().getError().getMessage().contains("the index is broken"));
    assertEquals(List.of(), rig.stored());
  }

  // -- restarts ---------------------------------------------------------------------------------

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
      EpisodeRig faulty = new EpisodeRig(KIT);
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
    TestProbe<StatusReply<EpisodeView>> finish = KIT.createTestProbe();
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
    TestProbe<StatusReply<EpisodeView>> cancel = KIT.createTestProbe();
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

  // -- cancel, finish, resume -------------------------------------------------------------------

  @Test
  void cancel_ends_a_policy_that_hangs_and_tells_it_to_stop() {
    rig.start();
    CallId call = rig.fake.generation().request().callId();
    cancelledInTime();
    assertEquals(call, FakePorts.next(rig.fake.cancelled));
  }

  @Test
  void cancel_ends_a_policy_that_blocks() {
    rig.fake.beforePolicy = FakePorts::hang;
    rig.start();
    rig.fake.generation();
    cancelledInTime();
  }

  @Test
  void cancel_ends_a_tool_that_hangs() {
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    cancelledInTime();
  }

  @Test
  void cancel_ends_a_tool_that_blocks() {
    rig.fake.beforeTool = FakePorts::hang;
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    cancelledInTime();
  }

  @Test
  void cancel_ends_a_check_that_blocks() {
    rig.fake.beforeCheck = FakePorts::hang;
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search().finds(Talk.passage(1));
    rig.fake.generation().says(Talk.ANSWER);
    rig.awaitEvents(8);
    cancelledInTime();
  }

  @Test
  void cancel_ends_a_wait() {
    rig.start();
    rig.fake.generation().fails(Talk.busy(Duration.ofSeconds(20)));
    rig.toldOfWaiting();
    cancelledInTime();
  }

  private void cancelledInTime() {
    long before = System.nanoTime();
    assertEquals(EpisodeStatus.CANCELLED, rig.cancel().status());
    assertTrue(System.nanoTime() - before < EpisodeRig.CANCEL_MAX.toNanos());
  }

  @Test
  void a_result_that_comes_after_the_cancellation_changes_nothing() {
    rig.start();
    FakePorts.Generation late = rig.fake.generation();
    rig.cancel();
    late.says(Talk.OPEN + Talk.call("moon"));
    assertEquals(EpisodeStatus.CANCELLED, rig.describe().status());
    assertTrue(rig.fake.searches.isEmpty());
  }

  @Test
  void finish_gives_up_the_search_and_asks_for_the_answer() {
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search().finds(Talk.passage(1));
    rig.fake.generation().says(Talk.NEXT + Talk.call("sun"));
    rig.fake.search();
    rig.finish();
    FakePorts.Generation last = rig.fake.generation();
    assertEquals(0, last.request().toolCallsLeft());
    assertTrue(last.request().messages().getLast().text().contains("The research ends here"));
    last.says(Talk.ANSWER);
    rig.fake.check().complete(List.of());
    assertEquals(Optional.of(EpisodeOutcome.ANSWERED), rig.ended().outcome());
  }

  @Test
  void R17_a_failed_episode_goes_on_with_another_policy_and_no_new_search() {
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search().finds(Talk.passage(1));
    rig.fake.generation().fails(Talk.refused());
    assertEquals(EpisodeStatus.FAILED, rig.ended().status());
    assertEquals("other", rig.resume("other").policy().spec());
    rig.fake.generation().says(Talk.ANSWER);
    rig.fake.check().complete(List.of());
    assertEquals(EpisodeStatus.COMPLETED, rig.ended().status());
    assertTrue(rig.fake.searches.isEmpty());
  }

  // -- ports that break their promise -----------------------------------------------------------

  @Test
  void a_policy_that_throws_fails_the_episode() {
    rig.fake.beforePolicy = () -> {
      throw new IllegalStateException("secret");
    };
    rig.start();
    EpisodeView view = rig.ended();
    assertEquals("defect", view.error().orElseThrow().kind());
    assertFalse(view.error().orElseThrow().message().contains("secret"));
  }

  @Test
  void a_tool_that_throws_is_told_to_the_policy() {
    rig.fake.beforeTool = () -> {
      throw new IllegalStateException();
    };
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    assertTrue(
        rig.fake.generation().request().messages().getLast().text().contains("<error>"));
  }

  @Test
  void documents_that_cannot_be_opened_any_more_are_told_to_the_policy() {
    rig.start();
    FakePorts.Generation first = rig.fake.generation();
    rig.fake.tools = () -> List.of();
    first.says(Talk.OPEN + Talk.call("moon"));
    assertTrue(
        rig.fake.generation().request().messages().getLast().text().contains("<error>"));
  }

  @Test
  void a_check_that_fails_leaves_the_claims_unchecked() {
    rig.start();
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search().finds(Talk.passage(1));
    rig.fake.generation().says(Talk.ANSWER);
    rig.fake.check().completeExceptionally(new IllegalStateException());
    EpisodeView view = rig.ended();
    assertEquals(EpisodeStatus.COMPLETED, view.status());
    assertEquals(0, view.citationCheck().checked());
  }

  @Test
  void a_policy_this_node_does_not_have_is_named() {
    rig.run();
    EpisodeRig other = new EpisodeRig(KIT);
    other.start();
    other.fake.generation().fails(Talk.refused());
    other.ended();
    other.resume("unknown");
    assertEquals("unknown_policy", other.ended().error().orElseThrow().kind());
  }

  // -- watchers ---------------------------------------------------------------------------------

  @Test
  void R18_every_watcher_sees_every_event_once_and_in_order_whenever_it_comes() {
    rig.start();
    TestProbe<EpisodeProgress> early = rig.watch(0);
    rig.fake.generation().says(Talk.OPEN + Talk.call("moon"));
    FakePorts.Search search = rig.fake.search();
    TestProbe<EpisodeProgress> middle = rig.watch(0);
    TestProbe<EpisodeProgress> resumed = rig.watch(3);
    search.finds(Talk.passage(1));
    rig.fake.generation().says(Talk.ANSWER);
    rig.fake.check().complete(List.of());
    List<EventStored> all = rig.toldOf(early);
    TestProbe<EpisodeProgress> late = rig.watch(0);
    assertEquals(rig.stored(), all);
    assertEquals(all, rig.toldOf(middle));
    assertEquals(all.subList(3, all.size()), rig.toldOf(resumed));
    assertEquals(all, rig.toldOf(late));
    assertEquals(
        LongStream.rangeClosed(1, all.size()).boxed().toList(),
        all.stream().map(EventStored::sequence).toList());
  }

  @Test
  void events_stored_while_a_history_is_read_come_once_and_behind_it() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    var log = rig.fake.log;
    rig.fake.log =
        (id, after, limit) ->
            log.read(id, after, limit).thenCombine(gate, (events, open) -> events);
    rig.start();
    FakePorts.Generation first = rig.fake.generation();
    TestProbe<EpisodeProgress> watcher = rig.watch(0);
    first.says(Talk.OPEN + Talk.call("moon"));
    rig.fake.search();
    gate.complete(null);
    rig.cancel();
    List<EventStored> told = rig.toldOf(watcher);
    assertEquals(rig.stored(), told);
  }

  @Test
  void a_watcher_that_asks_twice_is_told_once() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    var log = rig.fake.log;
    rig.fake.log =
        (id, after, limit) ->
            log.read(id, after, limit).thenCombine(gate, (events, open) -> events);
    rig.search();
    CompletableFuture<List<rubricem.protocol.report.ClaimVerdict>> check = rig.fake.check();
    TestProbe<EpisodeProgress> watcher = rig.watch(0);
    rig.episode.tell(
        new rubricem.protocol.episode.EpisodeCommand.WatchEpisode(0, watcher.getRef()));
    rig.describe();
    gate.complete(null);
    check.complete(List.of());
    List<EventStored> told = rig.toldOf(watcher);
    assertEquals(rig.stored(), told);
  }

  @Test
  void a_history_that_cannot_be_read_is_read_again() {
    var log = rig.fake.log;
    rig.run();
    rig.fake.log =
        (id, after, limit) -> {
          rig.fake.log = log;
          return CompletableFuture.failedStage(new IllegalStateException("the disk is busy"));
        };
    List<EventStored> told = rig.toldOf(rig.watch(0));
    assertEquals(rig.stored(), told);
  }

  @Test
  void text_that_is_being_generated_is_progress_and_no_event() {
    rig.start();
    FakePorts.Generation first = rig.fake.generation();
    TestProbe<EpisodeProgress> watcher = rig.watch(2);
    rig.describe();
    first.watcher().onText("The mo");
    first.watcher().onRestart("stalled");
    assertEquals(
        new EpisodeProgress.TextGenerated(first.request().callId(), "The mo"),
        watcher.receiveMessage());
    assertEquals(
        new EpisodeProgress.TurnRestarted(first.request().callId(), "stalled"),
        watcher.receiveMessage());
    assertEquals(2, rig.stored().size());
  }

  @Test
  void a_watcher_that_stops_is_forgotten() {
    rig.start();
    TestProbe<EpisodeProgress> gone = rig.watch(0);
    gone.receiveMessage();
    gone.stop();
    rig.fake.generation().fails(Talk.refused());
    assertEquals(EpisodeStatus.FAILED, rig.ended().status());
  }
}
