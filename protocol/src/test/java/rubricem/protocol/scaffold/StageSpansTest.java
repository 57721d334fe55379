package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageSpansTest {
  private static final String T = "<think>t</think>";
  private static final String E = "<state_evaluation>e</state_evaluation>";
  private static final String P = "<structured_plan><rubric>r</rubric></structured_plan>";
  private static final String R = "<review><writing_plan>w</writing_plan></review>";
  private static final String C = "<call_tool name=\"google_search\">q</call_tool>";
  private static final String A = "<answer>x</answer>";

  /** The text of every span behind the first letter of its stage: P, R, V (review), A. */
  private static List<String> cut(String... turns) {
    List<String> cut = new ArrayList<>();
    for (StageSpan span : StageSpans.of(List.of(turns))) {
      String letter = switch (span.stage()) {
        case PLAN -> "P";
        case RESEARCH -> "R";
        case REVIEW -> "V";
        case ANSWER -> "A";
      };
      cut.add(letter + ":" + turns[span.turn()].substring(span.from(), span.to()));
    }
    return cut;
  }

  @Test
  void divides_an_episode_of_the_grammar() {
    assertEquals(
        List.of("P:" + T + P, "R:\n" + C, "R:" + T + E + P + C, "V:" + T + E + "\n" + R + " ",
            "A:" + A + "\n"),
        cut(T + P + "\n" + C, T + E + P + C, T + E + "\n" + R + " " + A + "\n"));
  }

  @Test
  void without_a_plan_the_first_turn_is_plan() {
    assertEquals(List.of("P:" + T + C, "V:" + T + E + R, "A:" + A), cut(T + C, T + E + R + A));
    assertEquals(List.of("P:" + T + "<structured_plan>" + C, "R:" + T + E + C),
        cut(T + "<structured_plan>" + C, T + E + C));
  }

  @Test
  void without_a_review_its_block_is_empty() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "R:" + T + E, "A:" + A),
        cut(T + P + C, T + E + A));
  }

  @Test
  void without_an_answer_its_block_is_empty() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "V:" + T + E + R), cut(T + P + C, T + E + R));
    assertEquals(List.of("P:" + T + P, "R:" + C, "R:" + T + E), cut(T + P + C, T + E));
  }

  @Test
  void an_answer_that_was_cut_is_still_answer() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "V:" + T + E + R, "A:<answer>hal"),
        cut(T + P + C, T + E + R + "<answer>hal"));
  }

  @Test
  void text_after_the_answer_stays_in_it() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "V:" + T + R, "A:" + A + "bye" + R + C),
        cut(T + P + C, T + R + A + "bye" + R + C));
  }

  @Test
  void a_refused_answer_in_an_earlier_turn_is_no_answer() {
    assertEquals(List.of("P:" + T + P, "R:" + R + A, "R:" + T + E + C, "V:" + T + R, "A:" + A),
        cut(T + P + R + A, T + E + C, T + R + A));
  }

  @Test
  void a_review_that_a_call_follows_is_research() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "R:" + T + R + C, "R:" + T, "A:" + A),
        cut(T + P + C, T + R + C, T + A));
  }

  @Test
  void a_review_without_an_action_reaches_to_the_answer_of_the_next_turn() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "V:" + T + E + R, "V:" + T + E, "A:" + A),
        cut(T + P + C, T + E + R, T + E + A));
  }

  @Test
  void review_begins_at_the_last_think_before_it() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "R:" + T + E, "V:" + T + R, "A:" + A),
        cut(T + P + C, T + E + T + R + A));
  }

  @Test
  void a_review_without_a_think_takes_its_turn_from_the_start() {
    assertEquals(List.of("P:" + T + P, "R:" + C, "V:so " + E + R, "A:" + A),
        cut(T + P + C, "so " + E + R + A));
  }

  @Test
  void tags_in_a_think_cut_nothing() {
    String quoting = "<think>" + P + R + A + "</think>";
    assertEquals(List.of("P:" + quoting + P, "R:" + C, "V:" + quoting + R, "A:" + A),
        cut(quoting + P + C, quoting + R + A));
  }

  @Test
  void the_first_plan_counts_even_when_it_comes_late() {
    assertEquals(List.of("P:" + T + C, "P:" + T + P, "R:" + C), cut(T + C, T + P + C));
  }

  @Test
  void in_one_turn_alone_the_plan_takes_the_think() {
    assertEquals(List.of("P:" + T + P, "V:" + R, "A:" + A), cut(T + P + R + A));
    assertEquals(List.of("V:" + T + R, "A:" + A), cut(T + R + A));
  }

  @Test
  void nothing_has_no_spans() {
    assertEquals(List.of(), StageSpans.of(List.of()));
    assertEquals(List.of(), StageSpans.of(List.of("", "")));
  }
}
