package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeScript;
import rubricem.protocol.CallId;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Snippet;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/** Policy, stand-in and scaffold together: a whole episode's turns without one violation. */
class ResearcherRoundTripTest {
  private static final Set<String> TOOLS = Set.of("corpus_search");

  @Test
  void two_turns_make_a_cited_answer_in_either_dialect_streamed_or_not() {
    for (OpenAiSettings.Dialect dialect : OpenAiSettings.Dialect.values()) {
      for (boolean streaming : List.of(true, false)) {
        try (PolicyRig rig =
            new PolicyRig(
                s -> s.with(dialect).withStreaming(streaming), FakeScript.researcher())) {
          PolicyMessage question = new PolicyMessage.User("Why tides?");
          String first = rig.generated(question).text();
          var call = assertInstanceOf(TurnAction.CallTool.class, action(first, true));
          assertEquals("Why tides?", call.call().query());
          String second =
              rig.generated(
                      question,
                      new PolicyMessage.Assistant(first),
                      new PolicyMessage.ToolOutput(output()))
                  .text();
          assertEquals(
              new TurnAction.GiveAnswer("<cite id=\"S_1\">The moon pulls.</cite>"),
              action(second, false));
        }
      }
    }
  }

  private static TurnAction action(String turn, boolean first) {
    ParsedTurn.Valid parsed =
        assertInstanceOf(
            ParsedTurn.Valid.class,
            ScaffoldParser.parse(turn, new TurnContext(first, TOOLS, 5, false)),
            turn);
    assertEquals(List.of(), parsed.violations());
    return parsed.turn().action();
  }

  private static String output() {
    Passage passage =
        new Passage(
            "m.md", "Moon", "file:///m.md", "", 0, 15, "The moon pulls.", 1, Optional.empty());
    return ToolOutputText.print(
        List.of(new Snippet("S_1", CallId.parse("e/1"), "corpus_search", passage)), List.of());
  }
}
