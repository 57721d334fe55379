package rubricem.actors.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.actors.episode.Talk.OPEN;
import static rubricem.actors.episode.Talk.call;
import static rubricem.actors.episode.Talk.passage;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.persistence.episode.EpisodeState;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;

/** How long a model that fails is waited for, and what its failures cost. */
class ModelFailuresTest {
  private static final CallFailure UNREACHABLE =
      new CallFailure.Transient("unreachable", "nothing accepts connections", Optional.empty());

  @Test
  void a_model_that_was_never_reached_is_given_up_soon_and_one_that_was_is_waited_for() {
    Talk never = Talk.started();
    assertEquals(2, attempts(never));
    assertEquals("unreachable", never.state.failure().orElseThrow().error());
    Talk before = Talk.started();
    before.says(OPEN + call("moon"));
    before.finds(passage(1));
    assertEquals(4, attempts(before));
    Talk busy = Talk.started();
    busy.policyFails(Talk.busy());
    busy.retry();
    assertEquals(Optional.of(2), busy.state.pending().map(p -> p.attempt()));
  }

  @Test
  void what_a_failed_attempt_cost_is_stored_and_counted() {
    Talk talk = Talk.started();
    TokenUsage wasted = new TokenUsage(1_000, 500, 0.25);
    talk.give(
        new EpisodeInput.PolicyFinished(
            talk.pending(), new PolicyOutcome.Failed(Talk.busy(), wasted)));
    talk.retry();
    talk.says(OPEN + call("moon"), FinishReason.STOP, new TokenUsage(100, 50, 0.5));
    assertEquals(1_650, talk.state.usage().tokens());
    assertEquals(0.75, talk.state.usage().costUsd());
    assertEquals(2, talk.state.usage().modelCalls());
    assertEquals(
        Optional.empty(),
        new EpisodeRecheck(Talk.SETTINGS).check(talk.events).divergence());
  }

  private static int attempts(Talk talk) {
    int attempts = 1;
    while (!talk.policyFails(UNREACHABLE).contains("episode_failed")) {
      talk.retry();
      attempts++;
    }
    return attempts;
  }

  @Test
  void it_is_known_until_when_a_call_is_tried() {
    Talk talk = Talk.started();
    EpisodeState before = talk.state;
    talk.policyFails(Talk.busy());
    var failed = (EpisodeEvent.PolicyCallFailed) talk.events.getLast();
    Instant until = new EpisodeDecider(Talk.SETTINGS).triedUntil(before, failed);
    while (talk.state.running()) {
      talk.retry();
      talk.policyFails(Talk.busy());
    }
    assertEquals(talk.now, until);
    Talk hurried = Talk.started(new EpisodeLimits(10, 1, 0, 0));
    before = hurried.state;
    hurried.policyFails(Talk.busy());
    failed = (EpisodeEvent.PolicyCallFailed) hurried.events.getLast();
    assertTrue(
        new EpisodeDecider(Talk.SETTINGS).triedUntil(before, failed).isBefore(
            Talk.T0.plusSeconds(32)));
  }
}
