package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.actors.episode.Talk.ANSWER;
import static rubricem.actors.episode.Talk.CUT_ANSWER;
import static rubricem.actors.episode.Talk.NEXT;
import static rubricem.actors.episode.Talk.NONSENSE;
import static rubricem.actors.episode.Talk.OPEN;
import static rubricem.actors.episode.Talk.call;
import static rubricem.actors.episode.Talk.calling;
import static rubricem.actors.episode.Talk.passage;
import static rubricem.actors.episode.Talk.refused;
import static rubricem.actors.episode.Talk.researching;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyMessage;

/** What an episode does with what a policy does wrong. */
class PolicyMistakesTest {
  @Test
  void R35_an_identical_call_is_served_then_warned_then_ends_the_research() {
    Talk talk = researching();
    List<List<String>> made = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      made.add(talk.says(NEXT + call(i == 1 ? "  MOON " : "moon")));
    }
    List<String> served =
        List.of("policy_turn_generated", "tool_call_served", "policy_call_requested");
    List<String> ended =
        List.of(
            "policy_turn_generated", "tool_call_served", "finish_begun", "policy_call_requested");
    assertEquals(List.of(served, served, ended), made);
    assertEquals(Optional.of(FinishCause.REPEATED_CALLS), talk.state.finish());
    assertEquals(1, talk.state.usage().toolCalls());
    assertEquals(
        List.of(2, 3, 4),
        talk.events.stream()
            .filter(e -> e instanceof EpisodeEvent.ToolCallServed)
            .map(e -> ((EpisodeEvent.ToolCallServed) e).times())
            .toList());
  }

  @Test
  void calls_with_other_attributes_are_other_calls() {
    Talk talk = researching();
    talk.says(NEXT + "<call_tool name=\"local_search\" limit=\"3\">moon</call_tool>");
    assertEquals(2, talk.state.usage().toolCalls());
  }

  @Test
  void a_call_that_failed_may_be_asked_again() {
    Talk talk = calling();
    talk.toolFails(refused());
    assertEquals(
        List.of("policy_turn_generated", "tool_call_requested"),
        talk.says(NEXT + call("moon")));
  }

  @Test
  void R31_two_turns_in_a_row_that_cannot_be_carried_out_end_the_research() {
    Talk talk = researching();
    assertEquals(
        List.of("policy_turn_generated", "turn_rejected", "policy_call_requested"),
        talk.says("{\"name\":\"local_search\",\"arguments\":{\"query\":\"moon\"}}"));
    assertEquals(
        List.of(
            "policy_turn_generated", "turn_rejected", "finish_begun", "policy_call_requested"),
        talk.says(NONSENSE));
    assertEquals(Optional.of(FinishCause.VIOLATIONS), talk.state.finish());
    talk.says(ANSWER);
    talk.checks();
    assertEquals(Optional.of(EpisodeOutcome.LIMIT_REACHED), talk.state.outcome());
  }

  @Test
  void a_good_turn_between_two_bad_ones_forgives_the_first() {
    Talk talk = researching();
    talk.says(NONSENSE);
    talk.says(NEXT + call("sun"));
    talk.finds(passage(2));
    talk.says(NONSENSE);
    assertEquals(Optional.empty(), talk.state.finish());
  }

  @Test
  void R06_an_answer_cut_once_is_asked_for_again_and_cut_twice_is_taken_as_incomplete() {
    Talk talk = researching();
    assertEquals(
        List.of("policy_turn_generated", "turn_rejected", "policy_call_requested"),
        talk.cut(CUT_ANSWER));
    assertEquals(
        List.of("policy_turn_generated", "finish_begun", "citation_check_requested"),
        talk.cut(CUT_ANSWER));
    talk.checks();
    assertEquals(Optional.of(FinishCause.OUTPUT_TOKENS), talk.state.finish());
    assertEquals(Optional.of(EpisodeOutcome.LIMIT_REACHED), talk.state.outcome());
  }

  @Test
  void R06_a_cut_answer_at_another_limit_keeps_that_limit_on_record() {
    Talk talk = Talk.started(new EpisodeLimits(1, 600, 0, 0));
    talk.says(OPEN + call("moon"));
    talk.finds(passage(1));
    talk.cut(CUT_ANSWER);
    assertEquals(
        List.of("policy_turn_generated", "citation_check_requested"), talk.cut(CUT_ANSWER));
    assertEquals(Optional.of(FinishCause.TOOL_CALLS), talk.state.finish());
  }

  @Test
  void R25_a_call_that_the_output_limit_cut_is_never_made() {
    Talk talk = researching();
    talk.cut(NEXT + "<call_tool name=\"local_search\">sun an");
    talk.cut(NEXT + "<call_tool name=\"local_search\">sun an");
    assertEquals(1, talk.state.usage().toolCalls());
    assertFalse(talk.state.finish().isEmpty());
  }

  static Stream<Arguments> malformed() {
    String begun = "<call_tool name=\"local_search\">";
    return Stream.of(
        Arguments.of(begun + "{\"query\": \"sun an", "truncated_action"),
        Arguments.of("{\"name\": \"local_search\", \"arguments\": {\"query\": \"su", "no_action"),
        Arguments.of("[\"local_search\", \"sun\"]", "no_action"),
        Arguments.of("<call_tool name=\"browse\">sun</call_tool>", "unknown_tool"),
        Arguments.of("<call_tool name=\"" + "b".repeat(100_000) + "\">s</call_tool>", "no_action"),
        Arguments.of("<call_tool>sun</call_tool>", "call_without_name"),
        Arguments.of(begun + " </call_tool>", "empty_query"),
        Arguments.of(begun + "sun " + begun + "moon</call_tool>", "nested_call"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void L33_a_malformed_call_is_answered_with_an_error_to_its_turn_and_the_research_goes_on(
      String call, String code) {
    Talk talk = researching();
    assertEquals(
        List.of("policy_turn_generated", "turn_rejected", "policy_call_requested"),
        talk.says(NEXT + call));
    EpisodeEvent.TurnRejected rejected =
        (EpisodeEvent.TurnRejected) talk.events.get(talk.events.size() - 2);
    assertEquals(talk.state.turns().getLast().callId(), rejected.callId(), "under the same id");
    assertTrue(rejected.violations().contains(code), rejected.violations().toString());
    PolicyMessage told =
        PromptAssembly.messages(talk.state, "", List.of()).getLast();
    String text = ((PolicyMessage.ToolOutput) told).text();
    assertTrue(text.contains("was not carried out") || text.contains("was cut"), text);
    assertTrue(text.length() < 2_500, "what is bad is told in short: " + text.length());
    assertEquals(1, talk.state.usage().toolCalls(), "nothing was called with half a query");
    assertEquals(
        List.of("policy_turn_generated", "tool_call_requested"), talk.says(NEXT + call("sun")));
    assertEquals(Optional.empty(), talk.state.finish());
  }

  @Test
  void L33_of_two_calls_in_a_turn_the_first_decides_and_the_second_leaves_nothing_open() {
    String bad = "<call_tool name=\"browse\">x</call_tool>";
    Talk talk = researching();
    assertEquals(
        List.of("policy_turn_generated", "violations_tolerated", "tool_call_requested"),
        talk.says(NEXT + call("sun") + bad));
    talk.finds(passage(2));
    assertEquals(
        List.of("policy_turn_generated", "turn_rejected", "policy_call_requested"),
        talk.says(NEXT + bad + call("stars")));
    assertEquals(2, talk.state.usage().toolCalls());
  }

  @Test
  void a_turn_of_any_size_is_stored_bounded_and_counts_as_cut() {
    Talk talk = researching();
    talk.says("x".repeat(5_000_000) + NEXT + call("sun"));
    assertEquals(Findings.TURN_CHARS_MAX, talk.state.turns().getLast().text().length());
    assertEquals(FinishReason.LENGTH, talk.state.turns().getLast().finish());
  }

  @Test
  void a_result_of_any_size_is_stored_bounded_and_says_so() {
    Talk talk = calling();
    talk.finds(passage(1, "x".repeat(200_000)), passage(2, "y".repeat(200_000)), passage(3));
    assertEquals(
        List.of("page 1", "page 3"),
        talk.state.evidence().stream().map(e -> e.passage().position()).toList());
    EpisodeEvent.ToolCallCompleted completed =
        (EpisodeEvent.ToolCallCompleted) talk.events.get(talk.events.size() - 2);
    assertTrue(completed.notes().getLast().startsWith("1 passages were left out"));
  }
}
