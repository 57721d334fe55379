package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.actors.episode.Talk.ANSWER;
import static rubricem.actors.episode.Talk.NEXT;
import static rubricem.actors.episode.Talk.NONSENSE;
import static rubricem.actors.episode.Talk.OPEN;
import static rubricem.actors.episode.Talk.busy;
import static rubricem.actors.episode.Talk.call;
import static rubricem.actors.episode.Talk.checking;
import static rubricem.actors.episode.Talk.passage;
import static rubricem.actors.episode.Talk.s;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.persistence.episode.EpisodeProjection;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.FinishCause;

/** Limits of calls, tokens, cost and time: kept, recorded, and never at the cost of the answer. */
class EpisodeLimitsTest {
  private static final List<String> NOTHING = List.of();

  @Test
  void R48_the_tool_budget_is_kept_and_recorded() {
    Talk talk = Talk.started(new EpisodeLimits(1, 600, 0, 0));
    talk.says(OPEN + call("moon"));
    assertEquals(
        List.of("tool_call_completed", "finish_begun", "policy_call_requested"),
        talk.finds(passage(1)));
    talk.says(NEXT + call("sun"));
    talk.says(ANSWER);
    talk.checks();
    assertEquals(1, talk.state.usage().toolCalls());
    assertEquals(Optional.of(FinishCause.TOOL_CALLS), talk.state.finish());
    assertEquals(Optional.of(EpisodeOutcome.LIMIT_REACHED), talk.state.outcome());
  }

  @Test
  void R48_no_tool_call_at_all_still_ends_with_a_report() {
    Talk talk = Talk.started(new EpisodeLimits(0, 600, 0, 0));
    talk.says(NEXT + Talk.REVIEW + "<answer>Nothing was looked up.</answer>");
    talk.checks();
    assertEquals(Optional.of(EpisodeOutcome.NO_EVIDENCE), talk.state.outcome());
    assertEquals(Optional.of(FinishCause.TOOL_CALLS), talk.state.finish());
  }

  @Test
  void what_is_ended_before_any_search_came_back_says_nothing_about_what_exists() {
    Talk talk = Talk.started(new EpisodeLimits(10, 600, 0, 0));
    talk.give(EpisodeInput.Finish.INPUT);
    talk.says(NEXT + Talk.REVIEW + "<answer>Nothing was looked up.</answer>");
    talk.checks();
    assertEquals(EpisodeStatus.FAILED, talk.state.status());
    assertEquals("nothing_searched", talk.state.failure().orElseThrow().error());
    assertEquals(0, EpisodeProjection.view(talk.state).searched().documents());
  }

  @Test
  void R48_the_token_limit_is_kept_within_one_call() {
    Talk talk = Talk.started(new EpisodeLimits(10, 600, 1, 0));
    talk.says(OPEN + call("moon"));
    talk.finds(passage(1));
    assertEquals(Optional.of(FinishCause.TOKENS), talk.state.finish());
    talk.says(ANSWER);
    talk.checks();
    assertEquals(2, talk.state.usage().modelCalls());
    assertEquals(Optional.of(EpisodeOutcome.LIMIT_REACHED), talk.state.outcome());
  }

  @Test
  void R48_the_cost_limit_leaves_room_for_the_answer() {
    Talk talk = Talk.started(new EpisodeLimits(10, 600, 0, 0.02));
    talk.says(OPEN + call("moon"));
    talk.finds(passage(1));
    assertEquals(Optional.of(FinishCause.COST), talk.state.finish());
    talk.says(ANSWER);
    talk.checks();
    assertTrue(talk.state.usage().costUsd() <= 0.02);
  }

  @Test
  void R15_at_its_time_an_episode_gives_up_a_slow_tool_and_answers_from_what_it_has() {
    Talk talk = Talk.started(new EpisodeLimits(10, 60, 0, 0));
    talk.says(OPEN + call("moon"));
    talk.finds(passage(1));
    talk.says(NEXT + call("sun"));
    assertEquals(Optional.of(Talk.T0.plusSeconds(45)), talk.wake());
    assertEquals(
        List.of("tool_call_failed", "finish_begun", "policy_call_requested"),
        talk.after(s(45), EpisodeInput.TimePassed.INPUT));
    talk.says(ANSWER);
    talk.checks();
    assertEquals(Optional.of(FinishCause.SECONDS), talk.state.finish());
    assertEquals(Optional.of(EpisodeOutcome.LIMIT_REACHED), talk.state.outcome());
  }

  @Test
  void R15_a_policy_that_never_answers_ends_at_the_limit_and_its_grace() {
    Talk talk = Talk.started(new EpisodeLimits(10, 60, 0, 0));
    talk.after(s(45), EpisodeInput.TimePassed.INPUT);
    assertEquals(Optional.of(Talk.T0.plusSeconds(90)), talk.wake());
    assertEquals(List.of("episode_failed"), talk.after(s(45), EpisodeInput.TimePassed.INPUT));
    assertEquals("deadline", talk.state.failure().orElseThrow().error());
  }

  /**
   * What a try to answer is followed by: its number, when it ends, what it says, and the events.
   */
  private record Late(int tries, long second, String says, String... events) {}

  @Test
  void R15_a_try_to_answer_that_ends_after_the_limit_is_the_last_one() {
    List<Late> rows =
        List.of(
            new Late(0, 59, Talk.NONSENSE,
                "policy_turn_generated", "turn_rejected", "policy_call_requested"),
            new Late(0, 60, Talk.NONSENSE,
                "policy_turn_generated", "turn_rejected", "episode_failed"),
            new Late(0, 68, NEXT + call("sun"),
                "policy_turn_generated", "turn_rejected", "episode_failed"),
            new Late(0, 68, ANSWER, "policy_turn_generated", "citation_check_requested"),
            new Late(1, 59, Talk.NONSENSE,
                "policy_turn_generated", "turn_rejected", "episode_failed"));
    for (Late row : rows) {
      Talk talk = Talk.started(new EpisodeLimits(10, 60, 0, 0));
      talk.after(s(45), EpisodeInput.TimePassed.INPUT);
      for (int i = 0; i < row.tries(); i++) {
        talk.says(Talk.NONSENSE);
      }
      talk.now = Talk.T0.plusSeconds(row.second());
      assertEquals(List.of(row.events()), talk.says(row.says()), row.toString());
    }
  }

  @Test
  void R15_a_limit_shorter_than_one_call_is_passed_by_one_call() {
    Talk talk = Talk.started(new EpisodeLimits(10, 3, 0, 0));
    talk.now = Talk.T0.plusMillis(2_250);
    talk.give(EpisodeInput.TimePassed.INPUT);
    talk.now = talk.now.plusSeconds(8);
    talk.says(Talk.NONSENSE);
    assertEquals("no_answer", talk.state.failure().orElseThrow().error());
    String said = talk.state.failure().orElseThrow().message();
    assertTrue(said.contains("asked once, and the time limit has passed"), said);
  }

  @Test
  void R15_a_call_that_fails_after_the_limit_is_tried_again_within_the_grace() {
    Talk talk = Talk.started(new EpisodeLimits(10, 60, 0, 0));
    talk.after(s(45), EpisodeInput.TimePassed.INPUT);
    talk.now = Talk.T0.plusSeconds(65);
    talk.policyFails(busy());
    assertTrue(talk.state.running());
    talk.retry();
    talk.says(ANSWER);
    talk.checks();
    assertTrue(talk.now.isBefore(Talk.T0.plusSeconds(90)));
    assertFalse(talk.state.running());
  }

  @Test
  void R15_an_answer_cut_after_the_limit_is_the_answer() {
    Talk talk = Talk.started(new EpisodeLimits(10, 60, 0, 0));
    talk.says(OPEN + call("moon"));
    talk.finds(passage(1));
    talk.after(s(45), EpisodeInput.TimePassed.INPUT);
    talk.now = Talk.T0.plusSeconds(61);
    assertEquals(
        List.of("policy_turn_generated", "citation_check_requested"), talk.cut(Talk.CUT_ANSWER));
  }

  @Test
  void no_time_at_all_goes_straight_to_the_answer() {
    Talk talk = Talk.started(new EpisodeLimits(10, 0, 0, 0));
    assertEquals(Optional.of(FinishCause.SECONDS), talk.state.finish());
    assertTrue(talk.state.running());
  }

  @Test
  void limits_beyond_all_dates_are_no_limits() {
    Talk talk =
        Talk.started(new EpisodeLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 0));
    talk.says(OPEN + call("moon"));
    talk.finds(passage(1));
    assertEquals(Optional.empty(), talk.state.finish());
  }

  @Test
  void R49_a_check_that_outlives_the_deadline_leaves_the_claims_unchecked() {
    Talk talk = checking();
    assertEquals(Optional.of(Talk.T0.plusSeconds(630)), talk.wake());
    assertEquals(NOTHING, talk.after(s(560), EpisodeInput.TimePassed.INPUT));
    assertEquals(
        List.of("citations_checked", "episode_completed"),
        talk.after(s(70), EpisodeInput.TimePassed.INPUT));
    assertEquals(List.of(), talk.state.verdicts());
  }
}
