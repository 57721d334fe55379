package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;

/** The episode as an actor: its commands, its restarts, those who watch it. */
class ResearchEpisodeTest {
  @RegisterExtension static final EpisodeKit KIT = new EpisodeKit();

  private final EpisodeRig rig = new EpisodeRig(KIT.actors);

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
    EpisodeRig other = new EpisodeRig(KIT.actors);
    other.start();
    other.fake.generation().fails(Talk.refused());
    other.ended();
    other.resume("unknown");
    assertEquals("unknown_policy", other.ended().error().orElseThrow().kind());
  }
}
