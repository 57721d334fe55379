package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.llm.OpenAiPolicyTest.assertTerminal;
import static rubricem.http.llm.OpenAiPolicyTest.assertTransient;
import static rubricem.http.llm.OpenAiPolicyTest.delta;
import static rubricem.http.llm.PolicyRig.LONG;
import static rubricem.http.llm.PolicyRig.TURN;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeBehaviour;
import rubricem.http.fake.FakeBehaviour.Step;
import rubricem.http.fake.FakeScript;
import rubricem.protocol.CallId;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyOutcome;

/** Ending a generation early, and keeping too many from beginning. */
class OpenAiCancelTest {
  private static GenerationWatcher onText(Runnable told) {
    return new GenerationWatcher() {
      @Override
      public void onText(String delta) {
        told.run();
      }

      @Override
      public void onRestart(String reason) {}
    };
  }

  @Test
  void cancelling_ends_a_silent_generation_at_once() throws Exception {
    for (FakeBehaviour silent :
        List.of(
            new FakeBehaviour.Delay(LONG, FakeBehaviour.says(TURN)),
                FakeBehaviour.stallsAfter(1))) {
      CountDownLatch arrived = new CountDownLatch(silent instanceof FakeBehaviour.Stream ? 2 : 1);
      FakeScript script =
          request -> {
            arrived.countDown();
            return silent;
          };
      GenerationWatcher watcher = onText(arrived::countDown);
      try (PolicyRig rig = new PolicyRig(PolicyRig.timeouts(LONG, LONG), script)) {
        CompletableFuture<PolicyOutcome> running =
            rig.policy.generate(PolicyRig.request(LONG), watcher).toCompletableFuture();
        assertTrue(arrived.await(10, TimeUnit.SECONDS));
        rig.policy.cancel(CallId.parse("another/1"));
        assertFalse(running.isDone());
        rig.policy.cancel(CallId.parse("e1/1"));
        assertTerminal("cancelled", PolicyRig.failure(running.get(2, TimeUnit.SECONDS)));
      }
    }
  }

  @Test
  void cancelling_closes_the_connection_under_a_talking_server() throws Exception {
    List<Step> talk = new java.util.ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      talk.add(new Step.Raw("data: " + delta("word ") + "\n\n"));
      talk.add(new Step.Pause(Duration.ofMillis(5)));
    }
    CountDownLatch heard = new CountDownLatch(3);
    try (PolicyRig rig = new PolicyRig(new FakeBehaviour.Stream(talk))) {
      var running =
          rig.policy.generate(PolicyRig.request(LONG), onText(heard::countDown));
      assertTrue(heard.await(10, TimeUnit.SECONDS));
      rig.policy.cancel(CallId.parse("e1/1"));
      assertTerminal("cancelled", PolicyRig.failure(running.toCompletableFuture().join()));
      assertTrue(rig.server.awaitClientGone(Duration.ofSeconds(2)));
      rig.policy.close();
      assertTerminal("cancelled", rig.failure());
    }
  }

  @Test
  void more_generations_than_allowed_are_refused_and_not_queued() {
    OpenAiSettings.Bounds one = new OpenAiSettings.Bounds(1 << 20, 1 << 20, 1_000, 1, LONG);
    try (PolicyRig rig = new PolicyRig(s -> s.with(one), FakeBehaviour.NEVER_ANSWERS)) {
      var first = rig.policy.generate(PolicyRig.request(LONG), GenerationWatcher.NONE);
      assertTransient("unavailable", rig.failure());
      rig.policy.cancel(CallId.parse("e1/1"));
      assertTerminal("cancelled", PolicyRig.failure(first.toCompletableFuture().join()));
    }
  }
}
