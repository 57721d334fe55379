package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ScaffoldParserProperties {
  private static final TurnContext LATER = new TurnContext(false, ScaffoldTexts.TOOLS, 10, false);

  @Property(tries = 3000)
  void parsing_what_was_printed_gives_the_same_turn(@ForAll("turns") Turn turn) {
    ParsedTurn parsed = ScaffoldParser.parse(ScaffoldPrinter.print(turn), LATER);
    assertEquals(turn, assertInstanceOf(ParsedTurn.Valid.class, parsed).turn());
  }

  @Property(tries = 1000)
  void printing_is_canonical(@ForAll("turns") Turn turn) {
    String printed = ScaffoldPrinter.print(turn);
    ParsedTurn.Valid parsed = (ParsedTurn.Valid) ScaffoldParser.parse(printed, LATER);
    assertEquals(printed, ScaffoldPrinter.print(parsed.turn()));
  }

  @Property(tries = 3000)
  void no_input_makes_the_parser_throw(
      @ForAll("texts") String text, @ForAll boolean first, @ForAll boolean stopTextOmitted) {
    TurnContext context = new TurnContext(first, ScaffoldTexts.TOOLS, 1, stopTextOmitted);
    switch (ScaffoldParser.parse(text, context)) {
      case ParsedTurn.Valid valid ->
          assertTrue(valid.tolerated().stream().noneMatch(ScaffoldViolation::blocking));
      case ParsedTurn.Invalid invalid ->
          assertTrue(invalid.violations().stream().anyMatch(ScaffoldViolation::blocking));
    }
  }

  @Property(tries = 2000)
  void a_read_turn_can_be_printed_and_read_again(@ForAll("texts") String text) {
    if (ScaffoldParser.parse(text, LATER) instanceof ParsedTurn.Valid valid
        && printable(valid.turn())) {
      ParsedTurn again = ScaffoldParser.parse(ScaffoldPrinter.print(valid.turn()), LATER);
      assertEquals(valid.turn(), assertInstanceOf(ParsedTurn.Valid.class, again).turn());
    }
  }

  private static boolean printable(Turn turn) {
    return !(turn.action() instanceof TurnAction.CallTool call)
        || call.call().attributes().keySet().stream().allMatch(k -> k.matches("[A-Za-z0-9_-]+"));
  }

  @Property(tries = 2000)
  void nothing_after_a_stopped_action_changes_the_turn(
      @ForAll("turns") Turn turn, @ForAll("texts") String after) {
    // A later end of a think would make what came before it a think only if no think was closed.
    ParsedTurn parsed = ScaffoldParser.parse(ScaffoldPrinter.print(turn) + after, LATER);
    assertEquals(turn, assertInstanceOf(ParsedTurn.Valid.class, parsed).turn());
  }

  @Example
  void ten_megabytes_of_any_shape_are_read_in_linear_time() {
    List<String> shapes =
        List.of(
            "<", "</", "<think>", "</think>", "<think><call_tool name=\"a\">", "<call_tool name=\"",
            "<call_tool name='x\" ", "<review><think>", "<structured_plan><rubric>", "<answer>",
            "</answer>", "</call_tool>", "<call_tool name=\"a\"><answer>", "<tool_output>", "&amp;",
            "&lt;think", "<state_evaluation></call_tool>", "<cite ", "<cite id=\"<", "a",
            "<think></think>", "<review></review>", "<call_tool a=b ", "<call_tool =");
    assertTimeoutPreemptively(
        Duration.ofSeconds(180),
        () -> {
          for (String shape : shapes) {
            for (String end : List.of("", "</call_tool>", "</think><answer>x</answer>")) {
              int length = end.isEmpty() ? 10_000_000 : 500_000;
              String text = shape.repeat(length / shape.length()) + end;
              assertFalse(ScaffoldParser.parse(text, LATER).violations().isEmpty());
            }
          }
        });
  }

  @Provide
  Arbitrary<String> texts() {
    return ScaffoldTexts.anything();
  }

  @Provide
  Arbitrary<Turn> turns() {
    return ScaffoldTexts.turns();
  }
}
