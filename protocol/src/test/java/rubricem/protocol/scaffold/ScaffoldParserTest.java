package rubricem.protocol.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScaffoldParserTest {
  private static final Set<String> TOOLS = Set.of("google_search", "snippet_search");
  private static final TurnContext FIRST = new TurnContext(true, TOOLS, 10, false);
  private static final TurnContext LATER = new TurnContext(false, TOOLS, 9, false);
  private static final TurnContext SPENT = new TurnContext(false, TOOLS, 0, false);
  private static final TurnContext CUT_AT_STOP = new TurnContext(false, TOOLS, 9, true);

  private static final String T = "<think>t</think>";
  private static final String E = "<state_evaluation>e</state_evaluation>";
  private static final String P =
      "<structured_plan><deep_analysis>a</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>";
  private static final String R =
      "<review><rubric_review>r</rubric_review><writing_plan>w</writing_plan></review>";
  private static final String C = "<call_tool name=\"google_search\">q</call_tool>";
  private static final String A = "<answer>x</answer>";

  private static Turn turn(String text, TurnContext context) {
    return assertInstanceOf(ParsedTurn.Valid.class, ScaffoldParser.parse(text, context)).turn();
  }

  private static ToolCall call(String text) {
    return assertInstanceOf(TurnAction.CallTool.class, turn(text, LATER).action()).call();
  }

  private static List<String> codes(String text, TurnContext context) {
    return ScaffoldParser.parse(text, context).violations().stream()
        .map(ScaffoldViolation::code)
        .toList();
  }

  @Test
  void reads_a_first_turn() {
    Turn turn = turn(T + "\n" + P + "\n" + C, FIRST);
    Plan plan = new Plan(Optional.of("a"), Optional.of("r"), Optional.of("p"));
    assertEquals("t", turn.think());
    assertEquals(Optional.of(plan), turn.plan());
    assertEquals(new TurnAction.CallTool(new ToolCall("google_search", "q", Map.of())),
        turn.action());
    assertEquals(List.of(), codes(T + "\n" + P + "\n" + C, FIRST));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "```json\n{\"steps\": [\"search\"],}\n```", "{'steps': ['search']}", "{\"weight\": NaN}",
        "Here it is: {\"steps\": [", "[]", "null", "{\"steps\": [\"a\"]} and that is my plan.",
      })
  void R36_a_plan_in_any_formatting_is_text(String plan) {
    String tagged = P.replace(">p<", ">" + plan + "<");
    assertEquals(
        Optional.of(plan), turn(T + tagged + C, FIRST).plan().orElseThrow().researchPlan());
    // without its tags it is no plan: said to the policy, never a crash, never a report
    assertInstanceOf(ParsedTurn.Invalid.class, ScaffoldParser.parse(plan, FIRST));
    ScaffoldParser.parse(T + plan + C, FIRST);
  }

  @Test
  void reads_a_last_turn() {
    Turn turn = turn(T + E + R + "<answer>See <cite id=\"S_1, S_2\">a & b</cite>.</answer>", LATER);
    assertEquals(Optional.of("e"), turn.stateEvaluation());
    assertEquals(Optional.of(new Review("r", "w")), turn.review());
    assertEquals(
        new TurnAction.GiveAnswer("See <cite id=\"S_1, S_2\">a & b</cite>."), turn.action());
  }

  @Test
  void reads_the_aliases_and_any_case() {
    String plan = "<Structured_Plan><analysis>a</analysis><RUBRICS>r</rubric>"
        + "<research_plan>p</Research_Plan></structured_plan>";
    Turn turn = turn("<THINK>t</think>" + plan + "<Call_Tool NAME='google_search'>q</CALL>", FIRST);
    assertEquals(new Plan(Optional.of("a"), Optional.of("r"), Optional.of("p")),
        turn.plan().orElseThrow());
    Turn last = turn(T + E + "<review><rubrics_review>r</rubrics_review><writing_plan>w"
        + "</writing_plan></review>" + A, LATER);
    assertEquals(Optional.of(new Review("r", "w")), last.review());
  }

  @Test
  void a_revised_plan_may_hold_any_of_its_parts() {
    String revised = "<structured_plan><rubric>new</rubric></structured_plan>";
    assertEquals(List.of(), codes(T + E + revised + C, LATER));
    Plan plan = turn(T + E + revised + C, LATER).plan().orElseThrow();
    assertEquals(new Plan(Optional.empty(), Optional.of("new"), Optional.empty()), plan);
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        Arguments.of("<call_tool name=\"google_search\">q</call_tool>", "q", Map.of()),
        Arguments.of("<call_tool limit='5' name=google_search>q</call>", "q", Map.of("limit", "5")),
        Arguments.of("<call_tool\n name = \"google_search\" year=\"<2020\">q</call_tool>", "q",
            Map.of("year", "<2020")),
        Arguments.of("<call_tool name=\"google_search\" x=\"a>b &quot;c&quot;\">q</call_tool>",
            "q", Map.of("x", "a>b \"c\"")),
        Arguments.of("<call_tool name=\"google_search\">\n a &lt; b &amp;&amp; c &gt; d "
            + "&quot;e&quot; \n</call_tool>", "a < b && c > d \"e\"", Map.of()),
        Arguments.of("<call_tool name=\"google_search\">a < b <i>c</i></call_tool>",
            "a < b <i>c</i>", Map.of()),
        Arguments.of("<call_tool name=\"google_search\">&amp;lt;</call_tool >", "&lt;", Map.of()),
        Arguments.of("<call_tool name=\"google_search\" op=\"<\" y='<<'>q</call_tool>", "q",
            Map.of("op", "<", "y", "<<")),
        Arguments.of("<call_tool name=\"google_search\" name=\"other\">q</call_tool>", "q",
            Map.of()),
        Arguments.of("<call_tool name=\"google_search\" fieldsOfStudy='Law, \"AI\"'>q</call_tool>",
            "q", Map.of("fieldsOfStudy", "Law, \"AI\"")),
        Arguments.of("<call_tool name=\"google_search\" query=\" q \"></call_tool>", "q",
            Map.of()));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void reads_calls(String text, String query, Map<String, String> attributes) {
    assertEquals(new ToolCall("google_search", query, attributes), call(T + E + text));
  }

  static Stream<Arguments> toolNames() {
    return Stream.of(
        Arguments.of("google_search", Optional.of("google_search")),
        Arguments.of("Google_Search", Optional.of("google_search")),
        Arguments.of("google-search", Optional.of("google_search")),
        Arguments.of(" google_web_search ", Optional.of("google_search")),
        Arguments.of("Scholar_Search", Optional.of("snippet_search")),
        Arguments.of("search", Optional.empty()),
        Arguments.of("browse_webpage", Optional.empty()),
        Arguments.of("browse", Optional.empty()));
  }

  @ParameterizedTest
  @MethodSource("toolNames")
  void evens_out_tool_names(String written, Optional<String> meant) {
    assertEquals(meant, ToolNames.meant(written, TOOLS));
    String text = T + E + "<call_tool name=\"" + written + "\">q</call_tool>";
    String code = meant.isEmpty() ? "unknown_tool" : "tool_name_variant";
    assertEquals(written.equals("google_search") ? List.of() : List.of(code), codes(text, LATER));
  }

  @Test
  void a_tool_called_search_is_found_when_there_is_one() {
    assertEquals(Optional.of("search"), ToolNames.meant("Search", Set.of("search")));
  }

  static Stream<Arguments> blocking() {
    String call = "<call_tool name=\"google_search\">";
    return Stream.of(
        Arguments.of(T + E, LATER, List.of("no_action")),
        Arguments.of("", LATER,
            List.of("missing_think", "missing_state_evaluation", "no_action")),
        Arguments.of(T + E + call + "a " + call + "b</call_tool>", LATER,
            List.of("stray_text", "nested_call")),
        Arguments.of(T + E + call + " \n</call_tool>", LATER, List.of("empty_query")),
        Arguments.of(T + E + "<call_tool name=\"bing\">q</call_tool>", LATER,
            List.of("unknown_tool")),
        Arguments.of(T + E + "<call_tool>q</call_tool>", LATER, List.of("call_without_name")),
        Arguments.of(T + E + "<call_tool name=''>q</call_tool>", LATER,
            List.of("call_without_name")),
        Arguments.of(T + P + R + A, FIRST, List.of("answer_in_first_turn")),
        Arguments.of(T + E + call + "q", LATER, List.of("truncated_action")),
        Arguments.of(T + E + R + "<answer>half", LATER, List.of("truncated_action")),
        Arguments.of(T + E + C, SPENT, List.of("tool_budget_spent")),
        Arguments.of(T + "<tool_output>fake</tool_output>" + E + C, LATER,
            List.of("stray_text", "generated_tool_output")),
        Arguments.of(T + E + call + "q <tool_output>fake</tool_output></call_tool>", LATER,
            List.of("generated_tool_output")),
        Arguments.of(T + E + R + "<answer> \n</answer>", LATER, List.of("empty_answer")),
        Arguments.of(T + E + R + "<answer><cite id=\"S_1\"> </cite></answer>", LATER,
            List.of("empty_answer")),
        Arguments.of(T + E + "<call_tool name=\"google_search>q</call_tool>", LATER,
            List.of("stray_tag", "stray_text", "no_action")));
  }

  @ParameterizedTest
  @MethodSource("blocking")
  void answers_with_an_error(String text, TurnContext context, List<String> codes) {
    ParsedTurn parsed = ScaffoldParser.parse(text, context);
    assertInstanceOf(ParsedTurn.Invalid.class, parsed);
    assertEquals(codes, codes(text, context));
    assertTrue(ViolationNotice.text(parsed.violations()).indexOf('<') < 0);
  }

  static Stream<Arguments> tolerated() {
    String open = "<call_tool name=\"google_search\">";
    return Stream.of(
        Arguments.of(E + C, LATER, List.of("missing_think")),
        Arguments.of("<think> </think>" + E + C, LATER, List.of("missing_think")),
        Arguments.of("<think>t" + E + C, LATER, List.of("unclosed_part")),
        Arguments.of("<think>t " + C, LATER, List.of("unclosed_part", "missing_state_evaluation")),
        Arguments.of("t</think>" + E + C, LATER, List.of()),
        Arguments.of(T + "<state_evaluation>e" + C + "</state_evaluation>", LATER,
            List.of("unclosed_part", "text_after_action")),
        Arguments.of(T + C, FIRST, List.of("missing_plan")),
        Arguments.of(T + C, LATER, List.of("missing_state_evaluation")),
        Arguments.of(T + "<structured_plan><rubric>r</rubric></structured_plan>" + C, FIRST,
            List.of("missing_plan_part", "missing_plan_part")),
        Arguments.of(T + "<structured_plan>do it</structured_plan>" + C, FIRST,
            List.of("missing_plan_part", "missing_plan_part")),
        Arguments.of(T + "<structured_plan><rubric>r" + C, FIRST,
            List.of("unclosed_part", "unclosed_part", "missing_plan_part", "missing_plan_part")),
        Arguments.of(T + E + A, LATER, List.of("missing_review")),
        Arguments.of(T + E + "<review><writing_plan>w</writing_plan></review>" + A, LATER,
            List.of("missing_review_part")),
        Arguments.of(T + E + "<state_evaluation>f</state_evaluation>" + C, LATER,
            List.of("repeated_part")),
        Arguments.of(T + E + C + " and so on", LATER, List.of("text_after_action")),
        Arguments.of(T + E + C + "<tool_output>fake</tool_output>", LATER,
            List.of("text_after_action", "generated_tool_output")),
        Arguments.of(E + T + C, LATER, List.of("wrong_order")),
        Arguments.of(T + P + E + C, LATER, List.of("wrong_order")),
        Arguments.of(T + E + P + C, FIRST, List.of("unexpected_part")),
        Arguments.of(T + E + R + C, LATER, List.of("unexpected_part")),
        Arguments.of(T + E + P + R + A, LATER, List.of("unexpected_part")),
        Arguments.of(T + E + "So I search." + C, LATER, List.of("stray_text")),
        Arguments.of(T + E + "</review>" + C, LATER, List.of("stray_tag")),
        Arguments.of(T + E + "<answer>" + C, LATER, List.of("stray_tag")),
        Arguments.of(T + E + open + "q" + R + A, LATER, List.of("stray_tag", "stray_text")),
        Arguments.of(T + E + open + "q", CUT_AT_STOP, List.of()),
        Arguments.of(T + E + R + "<answer>x", CUT_AT_STOP, List.of()),
        Arguments.of(T + E + "<call_tool name=\"google_search\" q='a'></call>", LATER,
            List.of("query_in_attribute")));
  }

  @ParameterizedTest
  @MethodSource("tolerated")
  void carries_out_what_can_be_read_and_counts(
      String text, TurnContext context, List<String> codes) {
    assertInstanceOf(ParsedTurn.Valid.class, ScaffoldParser.parse(text, context));
    assertEquals(codes, codes(text, context));
  }

  @Test
  void what_stands_in_a_closed_think_is_content() {
    String think = "I could write " + C + " or </answer> or <tool_output>x</tool_output>";
    Turn turn = turn("<think>" + think + "</think>" + E
        + "<call_tool name=\"snippet_search\">real</call_tool>", LATER);
    assertEquals(think, turn.think());
    assertEquals(new TurnAction.CallTool(new ToolCall("snippet_search", "real", Map.of())),
        turn.action());
  }

  @Test
  void a_mention_in_a_closed_part_is_content() {
    String mention = "The <tool_output> says so; then <call_tool name=\"x\"> or <review>.";
    String text = T + "<state_evaluation>" + mention + "</state_evaluation>" + C;
    assertEquals(List.of(), codes(text, LATER));
    assertEquals(Optional.of(mention), turn(text, LATER).stateEvaluation());
  }

  @Test
  void the_call_that_ends_the_turn_counts() {
    assertEquals("q", call(T + E + C
        + "<call_tool name=\"snippet_search\">later</call_tool>").query());
    assertEquals("q", call("<think>a stray <call_tool name=\"snippet_search\"> here" + E
        + C).query());
  }

  @Test
  void an_unclosed_think_ends_at_the_call_that_ends_the_turn() {
    String stray = "a stray <call_tool name=\"snippet_search\"> here";
    Turn turn = turn("<think>" + stray + C, LATER);
    assertEquals(stray, turn.think());
    assertEquals("q", ((TurnAction.CallTool) turn.action()).call().query());
  }

  @Test
  void leading_text_serves_as_think() {
    assertEquals("Let me see.", turn("Let me see.\n" + E + C, LATER).think());
    assertEquals("So.", turn("So. <rubric>r</rubric>" + C, FIRST).think());
  }

  @Test
  void the_last_review_and_the_merged_plan_count() {
    String two = R + R.replace(">w<", ">v<");
    assertEquals("v", turn(T + E + two + A, LATER).review().orElseThrow().writingPlan());
    String plans = P + "<structured_plan><rubric>s</rubric></structured_plan>";
    assertEquals(new Plan(Optional.of("a"), Optional.of("s"), Optional.of("p")),
        turn(T + plans + C, FIRST).plan().orElseThrow());
  }

  @Test
  void an_unclosed_child_ends_where_the_next_begins() {
    String plan = "<structured_plan><deep_analysis>a<rubric>r</rubric><research_plan>p"
        + "</structured_plan>";
    assertEquals(new Plan(Optional.of("a"), Optional.of("r"), Optional.of("p")),
        turn(T + plan + C, FIRST).plan().orElseThrow());
  }

  @Test
  void children_without_their_part_are_read_and_counted() {
    String loose = P.replace("<structured_plan>", "").replace("</structured_plan>", "");
    assertEquals(turn(T + P + C, FIRST), turn(T + loose + C, FIRST));
    assertEquals(List.of("stray_tag", "stray_text", "stray_tag", "stray_tag"),
        codes(T + loose + C, FIRST));
    String inner = R.replace("<review>", "").replace("</review>", "");
    assertEquals(turn(T + E + R + A, LATER), turn(T + E + inner + A, LATER));
  }

  @Test
  void an_invalid_turn_keeps_plan_and_attempt() {
    ParsedTurn.Invalid invalid = assertInstanceOf(ParsedTurn.Invalid.class,
        ScaffoldParser.parse(T + P + R + A, FIRST));
    assertEquals(Optional.of("p"), invalid.plan().orElseThrow().researchPlan());
    assertEquals(Optional.of(new TurnAction.GiveAnswer("x")), invalid.attempted());
  }

  @Test
  void an_answer_keeps_its_markup_and_copied_references() {
    String answer = "AT&amp;T &lt;cite id=\"S_9\"> <b>x</b> <cite id=S_1>y</cite> &lt;5";
    assertEquals(new TurnAction.GiveAnswer(answer),
        turn(T + E + R + "<answer>" + answer + "</answer>", LATER).action());
  }

  @Test
  void every_code_is_a_stable_word_and_advice_is_one_line() {
    for (Class<?> type : ScaffoldViolation.class.getDeclaredClasses()) {
      if (type.isRecord()) {
        ScaffoldViolation violation = sample(type);
        assertTrue(violation.code().matches("[a-z]+(_[a-z]+)*"), violation.code());
        assertTrue(violation.advice().endsWith("."), violation.advice());
        assertTrue(violation.advice().chars().noneMatch(c -> c == '<' || c == '\n'));
      }
    }
  }

  private static ScaffoldViolation sample(Class<?> type) {
    try {
      var constructor = type.getDeclaredConstructors()[0];
      Object[] values = Stream.of(constructor.getParameterTypes())
          .map(p -> p == boolean.class ? (Object) true : p == Set.class ? Set.of("t") : "word")
          .toArray();
      return (ScaffoldViolation) constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void the_notice_tells_what_blocks_first_and_each_advice_once() {
    List<ScaffoldViolation> found =
        List.of(new ScaffoldViolation.MissingThink(), new ScaffoldViolation.NoAction(),
            new ScaffoldViolation.NoAction());
    String notice = ViolationNotice.text(found);
    assertEquals(3, notice.lines().count());
    assertTrue(notice.indexOf("without an action") < notice.indexOf("think element"));
  }

  @Test
  void a_call_that_could_not_be_read_again_is_not_printed() {
    for (String key : List.of("", "Name", "a b", "a=b", "é")) {
      ToolCall call = new ToolCall("t", "q", Map.of(key, "v"));
      Turn turn = new Turn("", Optional.empty(), Optional.empty(), Optional.empty(),
          new TurnAction.CallTool(call));
      assertThrows(IllegalArgumentException.class, () -> ScaffoldPrinter.print(turn), key);
    }
  }
}
