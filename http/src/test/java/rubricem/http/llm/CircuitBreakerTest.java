package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeBehaviour;
import rubricem.http.fake.FakeModelServer;
import rubricem.http.fake.FakeScript;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyOutcome;

/** A dead server is left alone, and tried again by one request. */
class CircuitBreakerTest {
  static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  private static final OpenAiSettings.Breaking LIMITS =
      new OpenAiSettings.Breaking(3, Duration.ofSeconds(10));

  static CircuitBreaker opened() {
    CircuitBreaker breaker = CircuitBreaker.closed(LIMITS);
    for (int i = 0; i < 3; i++) {
      assertTrue(breaker.admit(T0).admitted());
      breaker = breaker.onBroken(T0);
    }
    return breaker;
  }

  @Test
  void opens_after_failures_in_a_row_and_says_for_how_long() {
    CircuitBreaker.Admission admission = opened().admit(T0.plusSeconds(4));
    assertFalse(admission.admitted());
    assertEquals(Duration.ofSeconds(6), admission.pause());
  }

  @Test
  void an_answer_in_between_starts_the_count_again() {
    CircuitBreaker breaker =
        CircuitBreaker.closed(LIMITS).onBroken(T0).onBroken(T0).onAnswer().onBroken(T0).onBroken(
            T0);
    assertTrue(breaker.isClosed());
  }

  @Test
  void lets_one_request_try_and_the_others_wait() {
    Instant later = T0.plusSeconds(10);
    CircuitBreaker.Admission trial = opened().admit(later);
    assertTrue(trial.admitted());
    assertFalse(trial.next().admit(later).admitted());
    assertTrue(trial.next().onAnswer().admit(later).admitted());
    CircuitBreaker again = trial.next().onBroken(later);
    assertFalse(again.admit(later.plusSeconds(9)).admitted());
    assertTrue(again.admit(later.plusSeconds(10)).admitted());
  }

  @Test
  void a_trial_that_never_reports_does_not_keep_the_breaker_shut() {
    CircuitBreaker trial = opened().admit(T0.plusSeconds(10)).next();
    assertTrue(trial.admit(T0.plusSeconds(20)).admitted());
  }

  @Test
  void calls_fail_at_once_while_a_server_is_dead_and_go_on_when_it_is_back() throws Exception {
    int port = freePort();
    Instant[] now = {T0};
    OpenAiSettings settings = OpenAiSettings.defaults().with(LIMITS);
    try (OpenAiPolicy policy =
        new OpenAiPolicy(
            OpenAiAddress.parse("http://127.0.0.1:" + port + "/v1#m"), Secret.NONE, settings,
            List.of(), clock(now))) {
      for (int i = 0; i < 3; i++) {
        OpenAiPolicyTest.assertTransient("unreachable", failure(policy));
      }
      CallFailure open = failure(policy);
      assertTrue(open.message().contains("http://127.0.0.1:" + port + " "), open.message());
      OpenAiPolicyTest.assertTransient("unreachable", open);
      assertEquals(Duration.ofSeconds(10), ((CallFailure.Transient) open).retryAfter().get());
      FakeScript counted = FakeScript.inOrder(FakeBehaviour.says("<answer>a</answer>"));
      try (FakeModelServer server = FakeModelServer.start(port, counted)) {
        OpenAiPolicyTest.assertTransient("unreachable", failure(policy));
        assertEquals(0, server.requests().size());
        now[0] = T0.plusSeconds(10);
        for (int i = 0; i < 2; i++) {
          PolicyOutcome outcome = run(policy);
          assertTrue(outcome instanceof PolicyOutcome.Generated, outcome::toString);
        }
      }
    }
  }

  private static PolicyOutcome run(OpenAiPolicy policy) {
    return PolicyRig.await(policy, PolicyRig.request(PolicyRig.LONG), GenerationWatcher.NONE);
  }

  private static CallFailure failure(OpenAiPolicy policy) {
    return PolicyRig.failure(run(policy));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Clock clock(Instant[] now) {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now[0];
      }
    };
  }
}
