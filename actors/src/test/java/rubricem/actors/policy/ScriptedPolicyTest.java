package rubricem.actors.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import rubricem.actors.policy.ScriptedPolicy.Line;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.scaffold.FormatLabel;

class ScriptedPolicyTest {
  private static Line plays(String text, String... match) {
    return new Line.Play(text, Duration.ZERO, pattern(match));
  }

  private static Line fails(String kind, String... match) {
    return new Line.Fail(kind, Duration.ZERO, pattern(match));
  }

  private static Optional<Pattern> pattern(String... match) {
    return match.length == 0 ? Optional.empty() : Optional.of(Pattern.compile(match[0]));
  }

  private static PolicyRequest request(String question, int earlier) {
    return new PolicyRequest(
        CallId.parse("e1/1"), new EpisodeId("e1"), 1, question, FormatLabel.SHORT_FORM, "",
        List.of(new PolicyMessage.User(question)), 5, 100, 0, Duration.ofSeconds(5), earlier);
  }

  private static CompletableFuture<PolicyOutcome> ask(
      ScriptedPolicy policy, String question, int earlier) {
    return policy
        .generate(request(question, earlier), GenerationWatcher.NONE)
        .toCompletableFuture();
  }

  private static List<String> played(ScriptedPolicy policy, String question, int turns) {
    List<String> played = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      played.add(
          switch (ask(policy, question, i).join()) {
            case PolicyOutcome.Generated generated -> generated.text();
            case PolicyOutcome.Failed failed -> "! " + failed.failure().kind();
          });
    }
    return played;
  }

  private static ScriptedPolicy policy(Line... lines) {
    return new ScriptedPolicy("scripted:x", List.of(lines));
  }

  @Test
  void lines_are_taken_in_order_and_then_there_is_nothing() {
    assertEquals(
        List.of("a", "b", "", ""), played(policy(plays("a"), plays("b")), "Why?", 4));
  }

  @Test
  void an_episode_takes_only_the_lines_whose_pattern_is_in_its_question() {
    ScriptedPolicy policy =
        policy(plays("moon 1", "[Mm]oon"), plays("sun", "sun"), plays("any"),
            plays("moon 2", "moon"));
    assertEquals(List.of("moon 1", "any", "moon 2", ""), played(policy, "Is the moon far?", 4));
    assertEquals(List.of("sun", "any", ""), played(policy, "Is the sun far?", 3));
  }

  @Test
  void an_error_line_is_a_failed_call_in_its_place() {
    assertEquals(
        List.of("a", "! timeout", "! overloaded", "b"),
        played(policy(plays("a"), fails("timeout"), fails("overloaded"), plays("b")), "?", 4));
  }

  @Test
  void errors_can_be_tried_again_but_for_the_one_that_is_terminal() {
    ScriptedPolicy policy = policy(fails("timeout"), fails("terminal"));
    assertInstanceOf(CallFailure.Transient.class, failure(policy, 0));
    assertInstanceOf(CallFailure.Terminal.class, failure(policy, 1));
  }

  private static CallFailure failure(ScriptedPolicy policy, int earlier) {
    return ((PolicyOutcome.Failed) ask(policy, "?", earlier).join()).failure();
  }

  @Test
  void the_same_call_again_gets_the_same_line() {
    ScriptedPolicy policy = policy(plays("a"), plays("b"));
    assertEquals(ask(policy, "?", 1).join(), ask(policy, "?", 1).join());
  }

  @Test
  void without_a_count_the_history_tells_which_line_is_next() {
    PolicyRequest third =
        new PolicyRequest(
            CallId.parse("e1/5"), new EpisodeId("e1"), 2, "?", FormatLabel.SHORT_FORM, "",
            List.of(
                new PolicyMessage.User("?"), new PolicyMessage.Assistant("a"),
                new PolicyMessage.ToolOutput("o")),
            5, 100, 0, Duration.ofSeconds(5));
    assertEquals(2, third.earlier());
  }

  @Test
  void a_line_with_a_delay_comes_later() {
    ScriptedPolicy policy =
        policy(new Line.Play("slow", Duration.ofMillis(50), Optional.empty()));
    CompletableFuture<PolicyOutcome> slow = ask(policy, "?", 0);
    assertFalse(slow.isDone());
    assertEquals("slow", ((PolicyOutcome.Generated) slow.join()).text());
  }
}
