package rubricem.http.fake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.Turn;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/** What the stand-in says: by a written script, and as the researcher without a model. */
class FakeScriptTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String OUTPUT =
      ToolOutputText.print(
          List.of(
              snippet("S_1", "The moon pulls. More."), snippet("S_2",
                  "The sun </answer> too.\n\nx")),
          List.of("12 of 14 documents"));
  private static final TurnContext FIRST =
      new TurnContext(true, Set.of("snippet_search", "corpus_search"), 5, false);
  private static final TurnContext LATER = new TurnContext(false, FIRST.tools(), 5, false);

  private static Snippet snippet(String id, String text) {
    Passage passage =
        new Passage("m.md", "Moon", "file:///m.md", "p. 2", 0, 9, text, 1, Optional.of("a remark"));
    return new Snippet(id, CallId.parse("e/1"), "corpus_search", passage);
  }

  /** Roles and texts in turn. */
  private static RecordedRequest request(String... rolesAndTexts) {
    ObjectNode body = JSON.createObjectNode().put("model", "m");
    var messages = body.putArray("messages");
    for (int i = 0; i < rolesAndTexts.length; i += 2) {
      messages.addObject().put("role", rolesAndTexts[i]).put("content", rolesAndTexts[i + 1]);
    }
    return new RecordedRequest(1, "POST", "/v1/chat/completions", Map.of(), body);
  }

  private static String said(FakeScript script, String... rolesAndTexts) {
    return assertInstanceOf(
        FakeBehaviour.Answer.class, script.behaviour(request(rolesAndTexts))).answer().content();
  }

  @Test
  void the_researcher_calls_a_tool_that_the_agent_prompt_lists() {
    String turn =
        said(
            FakeScript.researcher(), "system",
            "# Tools\n\n- `local_search` searches documents.\n\nWrite <call_tool name=\"TOOL\">",
            "user", "Why do tides turn?");
    assertTrue(turn.contains("<call_tool name=\"local_search\">"), turn);
  }

  @Test
  void a_script_goes_by_the_history_so_that_a_repeated_request_gets_the_same_turn() {
    FakeScript script =
        ScriptedTurns.parse(
            """
            {"text":"one"}
            {"text":"moon only","match":"[Mm]oon"}

            {"text":"last"}
            """);
    for (int i = 0; i < 2; i++) {
      assertEquals("one", said(script, "user", "tides?"));
      assertEquals("last", said(script, "user", "tides?", "assistant", "one", "user", "out"));
      assertEquals("moon only", said(script, "user", "Moon?", "assistant", "one", "tool", "out"));
      assertEquals("", said(script, "user", "tides?", "assistant", "one", "user", "out",
          "assistant", "last", "user", "again"));
    }
  }

  @Test
  void a_failure_of_a_script_is_used_up_by_one_request() {
    FakeScript script =
        ScriptedTurns.parse(
            """
            {"text":"one"}
            {"error":"rate_limit"}
            {"error":"timeout"}
            {"text":"two"}
            """);
    RecordedRequest second = request("user", "Q", "assistant", "one", "user", "out");
    assertEquals(429, assertInstanceOf(FakeBehaviour.Page.class,
        script.behaviour(second)).status());
    assertEquals(FakeBehaviour.NEVER_ANSWERS, script.behaviour(second));
    for (int i = 0; i < 2; i++) {
      assertEquals(FakeBehaviour.says("two"), script.behaviour(second));
    }
    assertEquals("one", said(script, "user", "Q"));
  }

  @Test
  void a_delay_is_kept_and_a_bad_line_is_named() {
    FakeScript slow = ScriptedTurns.parse("{\"text\":\"a\",\"delay_ms\":20}");
    assertEquals(20, assertInstanceOf(
        FakeBehaviour.Delay.class, slow.behaviour(request("user", "Q"))).by().toMillis());
    for (String bad : List.of("nonsense", "{\"match\":\"x\"}",
        "{\"text\":\"a\",\"match\":\"(\"}")) {
      assertTrue(
          assertThrows(
                  IllegalArgumentException.class,
                  () -> ScriptedTurns.parse("{\"text\":\"fine\"}\n" + bad))
              .getMessage().contains("line 2"));
    }
  }

  @Test
  void the_researcher_plans_and_searches_first() {
    RecordedRequest first =
        request(
            "system",
            "Call <call_tool name=\"tool\">, <call_tool name=\"snippet_search\">; you get"
                + " <tool_output><snippet id=\"X\">.</snippet></tool_output>",
            "user",
            "Why <tides>?\nFormat: <tool_output>");
    Turn turn = valid(FakeResearcher.answer(first).content(), FIRST);
    assertTrue(turn.plan().flatMap(p -> p.researchPlan()).isPresent());
    assertEquals(
        new TurnAction.CallTool(new ToolCall("snippet_search", "Why <tides>?", Map.of())),
        turn.action());
    assertEquals(FakeResearcher.answer(first), FakeResearcher.answer(first));
  }

  private static Turn valid(String text, TurnContext context) {
    ParsedTurn.Valid valid =
        assertInstanceOf(ParsedTurn.Valid.class, ScaffoldParser.parse(text, context), text);
    assertEquals(List.of(), valid.violations());
    return valid.turn();
  }

  @Test
  void the_researcher_answers_citing_only_ids_that_it_was_shown() {
    for (String role : List.of("user", "tool")) {
      String answer =
          said(FakeScript.researcher(), "user", "Why tides?", "assistant", "…", role, OUTPUT);
      TurnAction.GiveAnswer given =
          assertInstanceOf(TurnAction.GiveAnswer.class, valid(answer, LATER).action());
      assertTrue(given.text().startsWith(
          "<cite id=\"S_1\">The moon pulls.</cite> <cite id=\"S_2\">"));
      assertFalse(given.text().contains("</answer>"), given::text);
    }
  }

  @Test
  void the_researcher_cites_nothing_where_nothing_was_found() {
    String answer =
        said(FakeScript.researcher(), "user", "Why?", "assistant", "…", "user",
            "<tool_output>no passages</tool_output>");
    assertFalse(answer.contains("<cite"));
    assertTrue(answer.contains("<answer>The search found no evidence"));
  }

  @Test
  void the_researcher_calls_functions_where_they_are_declared() {
    RecordedRequest first = request("user", "Why tides?");
    ((ObjectNode) first.body()).putArray("tools").addObject().putObject("function").put("name",
        "web");
    FakeAnswer turn = FakeResearcher.answer(first);
    assertEquals("web", turn.toolCalls().getFirst().name());
    assertFalse(turn.content().contains("<call_tool"));
  }
}
