package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.ToolOutcome;

/** Whatever a port does, the episode hears of it. */
class EpisodeCallsTest {
  private static final Duration SOON = Duration.ofMillis(60);

  private final FakePorts fake = new FakePorts();

  /** Makes the call that {@code talk} waits for, with no patience for its port. */
  private EpisodeInput make(Talk talk) throws Exception {
    EpisodeSettings s = Talk.SETTINGS;
    EpisodeSettings even =
        new EpisodeSettings(
            s.policyRetries(), s.unreachableRetries(), s.finalPolicyRetries(), s.toolRetries(),
            s.turnsBeyondToolCalls(),
            s.servedMax(), s.violationsInARow(), s.finalTurnsMax(), s.finishReserve(),
            s.finishReserveMax(), s.grace(), s.toolTimeout(), s.toolTimeout(), s.maxTokens(),
            s.promptCharsMax(), s.unreadableNamed());
    return new EpisodeCalls(fake.ports(), even, SOON.minus(s.toolTimeout()))
        .make(talk.state, talk.state.pending().orElseThrow(), GenerationWatcher.NONE)
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }

  private static Talk calling() {
    Talk talk = Talk.started();
    talk.says(Talk.OPEN + Talk.call("moon"));
    return talk;
  }

  private static Talk checking() {
    Talk talk = calling();
    talk.finds(Talk.passage(1));
    talk.says(Talk.ANSWER);
    return talk;
  }

  private static CallFailure policyFailure(EpisodeInput input) {
    var finished = assertInstanceOf(EpisodeInput.PolicyFinished.class, input);
    return assertInstanceOf(PolicyOutcome.Failed.class, finished.outcome()).failure();
  }

  private static CallFailure toolFailure(EpisodeInput input) {
    var finished = assertInstanceOf(EpisodeInput.ToolFinished.class, input);
    return assertInstanceOf(ToolOutcome.Failed.class, finished.outcome()).failure();
  }

  @Test
  void a_policy_that_never_answers_is_a_time_out_and_is_told_to_stop() throws Exception {
    Talk talk = Talk.started();
    CallFailure failure = policyFailure(make(talk));
    assertInstanceOf(CallFailure.Transient.class, failure);
    assertEquals("timeout", failure.kind());
    assertEquals(talk.pending(), FakePorts.next(fake.cancelled));
  }

  @Test
  void a_tool_that_never_answers_is_a_time_out() throws Exception {
    assertEquals("timeout", toolFailure(make(calling())).kind());
    fake.beforeTool = FakePorts::hang;
    assertEquals("timeout", toolFailure(make(calling())).kind());
  }

  @Test
  void a_check_that_never_answers_or_throws_leaves_everything_unchecked() throws Exception {
    Talk talk = checking();
    var unchecked = new EpisodeInput.CitationsScored(talk.pending(), List.of());
    assertEquals(unchecked, make(talk));
    fake.beforeCheck = () -> {
      throw new IllegalStateException();
    };
    assertEquals(unchecked, make(talk));
  }

  @Test
  void documents_that_cannot_be_opened_are_a_failure_of_the_call() throws Exception {
    fake.tools = () -> {
      throw new IllegalStateException("/secret");
    };
    assertEquals("defect", policyFailure(make(Talk.started())).kind());
    assertEquals("defect", toolFailure(make(calling())).kind());
    assertFalse(toolFailure(make(calling())).message().contains("secret"));
  }

  @Test
  void an_error_of_the_machine_is_a_failure_too() throws Exception {
    fake.beforePolicy = () -> {
      throw new NoClassDefFoundError();
    };
    assertEquals("defect", policyFailure(make(Talk.started())).kind());
  }
}
