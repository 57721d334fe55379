package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.actors.episode.Talk.ANSWER;
import static rubricem.actors.episode.Talk.NEXT;
import static rubricem.actors.episode.Talk.NONSENSE;
import static rubricem.actors.episode.Talk.OPEN;
import static rubricem.actors.episode.Talk.busy;
import static rubricem.actors.episode.Talk.call;
import static rubricem.actors.episode.Talk.calling;
import static rubricem.actors.episode.Talk.checking;
import static rubricem.actors.episode.Talk.passage;
import static rubricem.actors.episode.Talk.refused;
import static rubricem.actors.episode.Talk.researching;
import static rubricem.actors.episode.Talk.with;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import rubricem.persistence.episode.PendingCall;
import rubricem.protocol.CallId;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;
import rubricem.protocol.port.ToolOutcome;

/** What an episode does with each input in each phase. */
class EpisodeDeciderTest {
  private static final List<String> NOTHING = List.of();

  /** Where an episode can be when something reaches it. */
  private static Map<String, Supplier<Talk>> phases() {
    Map<String, Supplier<Talk>> phases = new LinkedHashMap<>();
    phases.put("not started", () -> new Talk(Talk.SETTINGS));
    phases.put("first turn", Talk::started);
    phases.put("tool call", Talk::calling);
    phases.put("later turn", Talk::researching);
    phases.put("policy waits", () -> with(researching(), t -> t.policyFails(busy())));
    phases.put("tool waits", () -> with(calling(), t -> t.toolFails(busy())));
    phases.put("check", Talk::checking);
    phases.put(
        "finishing", () -> with(researching(), t -> t.give(EpisodeInput.Finish.INPUT)));
    phases.put("completed", () -> with(checking(), Talk::checks));
    phases.put("failed", () -> with(researching(), t -> t.policyFails(refused())));
    phases.put("cancelled", () -> with(researching(), t -> t.give(EpisodeInput.Cancel.INPUT)));
    return phases;
  }

  private record Row(String phase, String input, String... events) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("not started", "start", "episode_started", "policy_call_requested"),
          new Row("not started", "cancel"),
          new Row("not started", "finish"),
          new Row("not started", "resume"),
          new Row("not started", "recovered"),
          new Row("not started", "time"),
          new Row("first turn", "start"),
          new Row("first turn", "cancel", "episode_cancelled"),
          new Row("first turn", "resume"),
          new Row("first turn", "recovered", "call_repeated"),
          new Row("first turn", "time"),
          new Row("first turn", "stale tool result"),
          new Row("first turn", "stale check"),
          new Row("first turn", "finish",
              "policy_call_failed", "finish_begun", "policy_call_requested"),
          new Row("tool call", "finish",
              "tool_call_failed", "finish_begun", "policy_call_requested"),
          new Row("tool call", "cancel", "episode_cancelled"),
          new Row("tool call", "recovered", "call_repeated"),
          new Row("tool call", "resume"),
          new Row("tool call", "stale turn"),
          new Row("later turn", "finish",
              "policy_call_failed", "finish_begun", "policy_call_requested"),
          new Row("later turn", "cancel", "episode_cancelled"),
          new Row("policy waits", "stale turn"),
          new Row("policy waits", "recovered"),
          new Row("policy waits", "retry too early"),
          new Row("policy waits", "cancel", "episode_cancelled"),
          new Row("policy waits", "finish",
              "policy_call_failed", "finish_begun", "policy_call_requested"),
          new Row("tool waits", "recovered"),
          new Row("tool waits", "retry too early"),
          new Row("tool waits", "stale tool result"),
          new Row("tool waits", "cancel", "episode_cancelled"),
          new Row("tool waits", "finish",
              "tool_call_failed", "finish_begun", "policy_call_requested"),
          new Row("check", "finish"),
          new Row("check", "cancel", "episode_cancelled"),
          new Row("check", "recovered", "call_repeated"),
          new Row("check", "stale turn"),
          new Row("check", "time"),
          new Row("finishing", "finish"),
          new Row("finishing", "cancel", "episode_cancelled"),
          new Row("finishing", "recovered", "call_repeated"),
          new Row("completed", "start"),
          new Row("completed", "cancel"),
          new Row("completed", "finish"),
          new Row("completed", "resume"),
          new Row("completed", "recovered"),
          new Row("completed", "time"),
          new Row("completed", "stale turn"),
          new Row("failed", "cancel"),
          new Row("failed", "finish"),
          new Row("failed", "recovered"),
          new Row("failed", "time"),
          new Row("failed", "resume", "episode_resumed", "policy_call_requested"),
          new Row("cancelled", "cancel"),
          new Row("cancelled", "finish"),
          new Row("cancelled", "resume"),
          new Row("cancelled", "stale turn"),
          new Row("cancelled", "stale tool result"));

  @TestFactory
  Stream<DynamicTest> every_input_in_every_phase() {
    return ROWS.stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.input() + " while " + row.phase(),
                    () -> {
                      Talk talk = phases().get(row.phase()).get();
                      assertEquals(List.of(row.events()), talk.give(input(row.input(), talk)));
                    }));
  }

  private static EpisodeInput input(String name, Talk talk) {
    CallId stale = CallId.parse("e1/1");
    CallId pending = talk.state.pending().map(PendingCall::callId).orElse(stale);
    return switch (name) {
      case "start" -> Talk.start(Talk.request(Talk.LIMITS));
      case "cancel" -> EpisodeInput.Cancel.INPUT;
      case "finish" -> EpisodeInput.Finish.INPUT;
      case "resume" -> new EpisodeInput.Resume("other");
      case "recovered" -> EpisodeInput.Recovered.INPUT;
      case "time" -> EpisodeInput.TimePassed.INPUT;
      case "retry too early" -> new EpisodeInput.RetryDue(pending);
      case "stale turn" ->
          new EpisodeInput.PolicyFinished(
              pending,
              new PolicyOutcome.Generated(
                  ANSWER, Optional.empty(), FinishReason.STOP, TokenUsage.NONE, "v"));
      case "stale tool result" -> Talk.found(pending, passage(9));
      case "stale check" -> new EpisodeInput.CitationsScored(pending, List.of());
      default -> throw new IllegalArgumentException(name);
    };
  }

  @Test
  void an_episode_from_question_to_report() {
    Talk talk = Talk.started();
    assertEquals(
        List.of("policy_turn_generated", "tool_call_requested"), talk.says(OPEN + call("moon")));
    assertEquals(
        List.of("tool_call_completed", "policy_call_requested"), talk.finds(passage(1)));
    assertEquals(
        List.of("policy_turn_generated", "citation_check_requested"), talk.says(ANSWER));
    assertEquals(List.of("citations_checked", "episode_completed"), talk.checks());
    assertEquals(Optional.of(EpisodeOutcome.ANSWERED), talk.state.outcome());
    assertEquals(Optional.empty(), talk.state.finish());
  }

  @Test
  void a_second_result_of_the_same_call_is_dropped() {
    Talk talk = calling();
    CallId call = talk.pending();
    talk.finds(passage(1));
    assertEquals(NOTHING, talk.give(Talk.found(call, passage(2))));
    assertEquals(1, talk.state.evidence().size());
  }

  @Test
  void a_passage_found_again_keeps_its_id() {
    Talk talk = researching();
    talk.says(NEXT + call("sun"));
    talk.finds(passage(2), passage(1));
    assertEquals(
        List.of("S_1", "S_2"), talk.state.evidence().stream().map(e -> e.id()).toList());
  }

  @Test
  void R47_turns_that_lead_nowhere_are_bounded() {
    Talk talk = researching();
    int turns = 0;
    while (talk.state.finish().isEmpty()) {
      talk.says(turns++ % 2 == 0 ? NONSENSE : NEXT + call("moon"));
      assertTrue(turns < 20);
    }
  }

  // -- no evidence ------------------------------------------------------------------------------

  @Test
  void R01_a_search_that_finds_nothing_ends_as_no_evidence() {
    Talk talk = calling();
    talk.finds();
    talk.says(NEXT + Talk.REVIEW + "<answer>See <cite id=\"S_1\">it</cite> at x.org.</answer>");
    talk.checks();
    assertEquals(Optional.of(EpisodeOutcome.NO_EVIDENCE), talk.state.outcome());
  }

  @Test
  void R01_a_search_that_fails_altogether_is_a_failure_and_not_no_evidence() {
    Talk talk = calling();
    talk.toolFails(refused());
    talk.says(NEXT + Talk.REVIEW + "<answer>There is nothing about tides.</answer>");
    assertEquals(List.of("citations_checked", "episode_failed"), talk.checks());
    assertEquals("search_failed", talk.state.failure().orElseThrow().error());
  }

  @Test
  void an_episode_whose_search_was_down_can_search_when_it_is_resumed() {
    Talk talk = Talk.started(new EpisodeLimits(1, 600, 0, 0));
    talk.says(OPEN + call("moon"));
    talk.toolFails(refused());
    talk.says(NEXT + Talk.REVIEW + "<answer>There is nothing.</answer>");
    talk.checks();
    talk.give(new EpisodeInput.Resume("scripted:x"));
    assertEquals(
        List.of("policy_turn_generated", "tool_call_requested"), talk.says(NEXT + call("moon")));
    talk.finds(passage(1));
    talk.says(ANSWER);
    talk.checks();
    assertEquals(EpisodeStatus.COMPLETED, talk.state.status());
  }

  // -- crashes ----------------------------------------------------------------------------------

  @Test
  void R16_a_repeated_call_keeps_its_id_and_downtime_is_not_counted() {
    Talk talk = calling();
    CallId call = talk.pending();
    talk.now = talk.now.plusSeconds(100_000);
    talk.give(EpisodeInput.Recovered.INPUT);
    assertEquals(call, talk.pending());
    assertEquals(1, talk.state.usage().repeatedCalls());
    assertEquals(NOTHING, talk.give(EpisodeInput.TimePassed.INPUT));
    talk.finds(passage(1));
    assertEquals(Optional.empty(), talk.state.finish());
  }

  @Test
  void downtime_beyond_a_wait_is_not_counted_either() {
    Talk talk = with(calling(), t -> t.toolFails(busy()));
    talk.now = talk.now.plusSeconds(100_000);
    assertEquals(List.of("call_retried"), talk.give(EpisodeInput.Recovered.INPUT));
    assertEquals(0, talk.state.usage().repeatedCalls());
    assertEquals(NOTHING, talk.give(EpisodeInput.TimePassed.INPUT));
  }

  @Test
  void a_clock_that_went_back_takes_no_time_away() {
    Talk talk = calling();
    talk.now = talk.now.minusSeconds(500);
    talk.give(EpisodeInput.Recovered.INPUT);
    assertEquals(Talk.T0, talk.state.clockStart());
  }

  @Test
  void a_refused_call_is_told_to_the_policy() {
    Talk talk = calling();
    assertEquals(
        List.of("tool_call_refused", "policy_call_requested"),
        talk.give(
            new EpisodeInput.ToolFinished(talk.pending(), new ToolOutcome.Refused("bad limit"))));
  }
}
