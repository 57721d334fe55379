package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StopScannerTest {
  private static final String CALL = "<call_tool name=\"t\" x=\"a>b\">q</call_tool>";

  static Stream<Arguments> streams() {
    String quoting = "<think>it says </call_tool> and " + CALL + " or </answer></think>";
    return Stream.of(
        Arguments.of(CALL, ""),
        Arguments.of("<think>t</think>" + CALL, "<tool_output>fake</tool_output>"),
        Arguments.of("<call_tool name='t'>q</call>", "x</call_tool>"),
        Arguments.of("<answer>x</ANSWER >", "\n"),
        Arguments.of("a </call_tool>", "b"),
        Arguments.of("</call_tool</call>", "</answer>"),
        Arguments.of("<</call>", "<"),
        Arguments.of(quoting + CALL, "rest"));
  }

  @ParameterizedTest
  @MethodSource("streams")
  void finds_the_stop_wherever_the_stream_is_cut(String turn, String rest) {
    String stream = turn + rest;
    for (int i = 0; i <= stream.length(); i++) {
      for (int j = i; j <= stream.length(); j++) {
        StopScanner scanner = new StopScanner();
        String kept =
            scanner.feed(stream.substring(0, i))
                + scanner.feed(stream.substring(i, j))
                + scanner.feed(stream.substring(j));
        assertTrue(scanner.stopped());
        assertEquals(turn, kept);
        assertEquals(turn, scanner.text());
        assertEquals(turn, scanner.finish());
        assertEquals(Optional.empty(), scanner.openTag());
      }
    }
  }

  @Test
  void text_without_a_stop_is_kept_whole() {
    StopScanner scanner = new StopScanner();
    String text = "<think>x</think><call_tool name=\"t\">q</call_too";
    assertEquals(text, scanner.feed(text));
    assertFalse(scanner.stopped());
    assertEquals(text, scanner.finish());
    assertFalse(scanner.stopped());
  }

  @Test
  void a_think_that_is_never_closed_is_cut_at_its_first_complete_action() {
    StopScanner scanner = new StopScanner();
    String turn = "<think>I would </answer> but " + CALL;
    scanner.feed(turn + "<tool_output>fake</tool_output>" + CALL);
    assertFalse(scanner.stopped());
    assertEquals(turn, scanner.finish());
    assertTrue(scanner.stopped());
  }

  @Test
  void a_think_begun_in_the_prompt_protects_what_it_quotes() {
    StopScanner scanner = StopScanner.insideThink();
    assertEquals(Optional.of("think"), scanner.openTag());
    scanner.feed("it says " + CALL + "</think>");
    assertFalse(scanner.stopped());
    scanner.feed(CALL + "x");
    assertEquals("it says " + CALL + "</think>" + CALL, scanner.finish());
  }

  @Test
  void tells_which_element_is_open() {
    StopScanner scanner = new StopScanner();
    List<String> open = new ArrayList<>();
    for (String chunk : List.of("<thi", "nk>", "<rubric>", "</think>", "<structured_plan>",
        "<analysis>", "</deep_analysis>", "</structured_plan>", "</review>", "<answer>", "x")) {
      scanner.feed(chunk);
      open.add(scanner.openTag().orElse("-"));
    }
    assertEquals(List.of("-", "think", "think", "-", "structured_plan", "deep_analysis",
        "structured_plan", "-", "-", "answer", "answer"), open);
  }

  @Test
  void a_long_stream_of_single_characters_is_followed_in_linear_time() {
    String shape = "<think></think><call_tool name=\"<x <</";
    StopScanner scanner = new StopScanner();
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          for (int i = 0; i < 10_000_000; i++) {
            scanner.feed(String.valueOf(shape.charAt(i % shape.length())));
          }
        });
    assertFalse(scanner.stopped());
    assertEquals(10_000_000, scanner.finish().length());
  }
}
