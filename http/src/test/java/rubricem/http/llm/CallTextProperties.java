package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/** A call that a server delivered beside the text is the same call for the scaffold and for us. */
class CallTextProperties {
  private static final TurnContext CONTEXT = new TurnContext(false, Set.of("web"), 5, false);

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> bits =
        Arbitraries.of(
            "a", " b", "<", ">", "&", "&lt;", "&amp;quot;", "\"", "'", "</call_tool>", "<answer>",
            "<think>", "=", "潮", "{\"q\":1}");
    return bits.list().ofMinSize(1).ofMaxSize(8).map(l -> ("x" + String.join("", l)).strip());
  }

  @Property(tries = 500)
  void is_read_back_by_the_scaffold_and_by_the_history(
      @ForAll("texts") String query, @ForAll("texts") String value) {
    ToolCall call = new ToolCall("web", query, Map.of("gl", value));
    String turn =
        "<think>t</think>\n<state_evaluation>s</state_evaluation>\n" + CallText.print(call);
    ParsedTurn.Valid parsed =
        assertInstanceOf(ParsedTurn.Valid.class, ScaffoldParser.parse(turn, CONTEXT), turn);
    assertEquals(new TurnAction.CallTool(call), parsed.turn().action());
    assertEquals(call, CallText.atEndOf(turn).orElseThrow().call());
  }
}
