package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.TurnContext;

/** What is said to be the least is a whole episode: each turn of it is carried out as it stands. */
class ShortestEpisodeTest {
  private static final List<ShortestEpisode.Stage> STAGES =
      ShortestEpisode.stages("In one word.", "look");

  @Test
  void its_turns_are_what_the_grammar_asks_for_and_depart_from_nothing() {
    for (int i = 0; i < STAGES.size(); i++) {
      TurnContext context = new TurnContext(i == 0, Set.of("look"), 1 - i, false);
      ParsedTurn.Valid valid =
          assertInstanceOf(
              ParsedTurn.Valid.class, ScaffoldParser.parse(STAGES.get(i).turn(), context));
      assertEquals(List.of(), valid.violations());
    }
  }

  @Test
  void a_later_stage_is_shown_all_that_was_said_before() {
    List<PolicyMessage> plan = STAGES.getFirst().messages();
    List<PolicyMessage> answer = STAGES.getLast().messages();
    assertEquals(plan, answer.subList(0, 1));
    assertEquals(STAGES.getFirst().turn(), answer.get(1).text());
    assertTrue(answer.get(2).text().contains("Nothing was found."), answer.get(2).text());
  }
}
