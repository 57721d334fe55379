package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.actors.episode.Talk.ANSWER;
import static rubricem.actors.episode.Talk.NONSENSE;
import static rubricem.actors.episode.Talk.OPEN;
import static rubricem.actors.episode.Talk.busy;
import static rubricem.actors.episode.Talk.call;
import static rubricem.actors.episode.Talk.calling;
import static rubricem.actors.episode.Talk.passage;
import static rubricem.actors.episode.Talk.refused;
import static rubricem.actors.episode.Talk.researching;
import static rubricem.actors.episode.Talk.s;
import static rubricem.actors.episode.Talk.tooLong;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeStatus;

/** What an episode does when calls fail or the answer does not come. */
class FailingCallsTest {
  @Test
  void R37_a_policy_that_is_away_is_waited_for() {
    Talk talk = researching();
    CallId call = talk.pending();
    for (int attempt = 1; attempt < 4; attempt++) {
      assertEquals(List.of("policy_call_failed"), talk.policyFails(busy()));
      assertEquals(List.of("call_retried"), talk.retry());
      assertEquals(call, talk.pending());
      assertEquals(attempt + 1, talk.state.pending().orElseThrow().attempt());
    }
    talk.says(ANSWER);
    talk.checks();
    assertEquals(EpisodeStatus.COMPLETED, talk.state.status());
  }

  @Test
  void R37_a_policy_that_stays_away_fails_the_episode_with_its_evidence_kept() {
    Talk talk = researching();
    for (int attempt = 1; attempt < 4; attempt++) {
      talk.policyFails(busy());
      talk.retry();
    }
    assertEquals(List.of("policy_call_failed", "episode_failed"), talk.policyFails(busy()));
    assertFalse(talk.state.failure().orElseThrow().finalising());
    assertEquals(1, talk.state.evidence().size());
  }

  @Test
  void what_a_service_asks_for_is_waited() {
    Talk talk = researching();
    talk.policyFails(busy(s(7)));
    assertEquals(
        Optional.of(Talk.T0.plusSeconds(7)), talk.state.pending().orElseThrow().retryAt());
  }

  @Test
  void a_failed_tool_is_tried_again_and_then_told_to_the_policy() {
    Talk talk = calling();
    talk.toolFails(busy());
    talk.retry();
    talk.toolFails(busy());
    talk.retry();
    assertEquals(
        List.of("tool_call_failed", "policy_call_requested"), talk.toolFails(busy()));
    assertEquals(1, talk.state.usage().toolCalls());
  }

  @Test
  void a_wait_that_is_given_up_is_not_counted_as_a_call() {
    Talk talk = researching();
    int before = talk.state.usage().modelCalls();
    talk.policyFails(busy());
    talk.give(EpisodeInput.Finish.INPUT);
    assertEquals(before + 1, talk.state.usage().modelCalls());
  }

  @Test
  void R07_a_prompt_that_is_too_long_is_shrunk_twice_and_then_fails() {
    EpisodeSettings narrow = Talk.settings(4_000);
    Talk talk = Talk.started(Talk.LIMITS, narrow);
    talk.says(OPEN + call("moon"));
    talk.finds(
        passage(1, "a".repeat(1_000)), passage(2, "b".repeat(1_000)),
        passage(3, "c".repeat(500)));
    assertEquals(List.of(), leftOut(talk));
    assertEquals(
        List.of("policy_call_failed", "policy_call_requested"), talk.policyFails(tooLong()));
    assertEquals(List.of("S_1", "S_2"), leftOut(talk));
    talk.policyFails(tooLong());
    assertEquals(List.of("S_1", "S_2", "S_3"), leftOut(talk).subList(0, 3));
    assertEquals(
        List.of("policy_call_failed", "episode_failed"), talk.policyFails(tooLong()));
    assertEquals(3, talk.state.evidence().size());
  }

  private static List<String> leftOut(Talk talk) {
    return ((PendingCall.OfPolicy) talk.state.pending().orElseThrow()).leftOut();
  }

  @Test
  void R50_finalisation_that_fails_is_tried_twice_and_then_failed_with_the_evidence_kept() {
    Talk talk = researching();
    talk.give(EpisodeInput.Finish.INPUT);
    talk.policyFails(busy());
    talk.retry();
    assertEquals(List.of("policy_call_failed", "episode_failed"), talk.policyFails(busy()));
    assertTrue(talk.state.failure().orElseThrow().finalising());
    assertEquals(1, talk.state.evidence().size());
  }

  @Test
  void R17_resuming_a_failed_finalisation_costs_no_search() {
    Talk talk = researching();
    talk.give(EpisodeInput.Finish.INPUT);
    talk.policyFails(refused());
    talk.now = talk.now.plusSeconds(86_400);
    assertEquals(
        List.of("episode_resumed", "policy_call_requested"),
        talk.give(new EpisodeInput.Resume("other")));
    assertEquals("other", talk.state.policy());
    assertEquals(0, talk.state.toolCallsLeft());
    talk.says(ANSWER);
    talk.checks();
    assertEquals(EpisodeStatus.COMPLETED, talk.state.status());
    assertEquals(1, talk.state.usage().toolCalls());
  }

  @Test
  void an_answer_that_cannot_be_read_twice_is_a_failure_and_no_report() {
    Talk talk = researching();
    talk.give(EpisodeInput.Finish.INPUT);
    talk.says(NONSENSE);
    assertEquals(
        List.of("policy_turn_generated", "turn_rejected", "episode_failed"), talk.says(NONSENSE));
    assertEquals("no_answer", talk.state.failure().orElseThrow().error());
  }
}
