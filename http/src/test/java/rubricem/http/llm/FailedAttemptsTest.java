package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.llm.PolicyRig.LONG;
import static rubricem.http.llm.PolicyRig.SHORT;

import java.util.List;
import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeBehaviour;
import rubricem.http.fake.FakeBehaviour.Step;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.TokenUsage;

/** What an attempt that failed says: where, why, and what it cost. */
class FailedAttemptsTest {
  @Test
  void what_cannot_be_reached_is_named_with_its_address_and_cause() {
    for (String[] row :
        new String[][] {
          {"http://127.0.0.1:1", "nothing accepts connections"},
          {"http://no-such-host.invalid:8000", "no host of this name"}
        }) {
      try (OpenAiPolicy policy =
          PolicyRig.policy(row[0] + "/v1#m", OpenAiSettings.defaults())) {
        CallFailure failure =
            PolicyRig.failure(
                PolicyRig.await(policy, PolicyRig.request(LONG), GenerationWatcher.NONE));
        OpenAiPolicyTest.assertTransient("unreachable", failure);
        assertTrue(failure.message().contains(row[0] + " cannot"), failure.message());
        assertTrue(failure.message().contains(row[1]), failure.message());
      }
    }
  }

  @Test
  void a_failed_attempt_reports_what_the_server_says_it_cost() {
    String usage = "\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":500}";
    Step told = new Step.Raw("data: {\"choices\":[]," + usage + "}\n\n");
    Step begun = new Step.Raw("data: " + OpenAiPolicyTest.delta("word") + "\n\n");
    List<FakeBehaviour> wasted =
        List.of(
            new FakeBehaviour.Stream(List.of(begun, told, new Step.Cut())),
            new FakeBehaviour.Stream(List.of(begun, told, new Step.Stall())),
            new FakeBehaviour.Stream(List.of(begun, told)),
            FakeBehaviour.events("{\"error\":{\"message\":\"died\",\"code\":500}," + usage + "}"),
            FakeBehaviour.events(
                "{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]," + usage
                    + "}"),
            FakeBehaviour.page(
                200,
                "{\"choices\":[{\"message\":{\"content\":\"\"},"
                    + "\"finish_reason\":\"content_filter\"}]," + usage + "}"));
    for (FakeBehaviour behaviour : wasted) {
      try (PolicyRig rig =
          new PolicyRig(
              s -> PolicyRig.timeouts(LONG, SHORT).apply(s)
                  .with(new OpenAiSettings.Prices(1, 2)), behaviour)) {
        PolicyOutcome outcome = rig.run();
        PolicyRig.failure(outcome);
        assertEquals(
            new TokenUsage(1000, 500, 0.002), ((PolicyOutcome.Failed) outcome).usage(),
            behaviour.toString());
      }
    }
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.cutsAfter(3))) {
      assertEquals(TokenUsage.NONE, ((PolicyOutcome.Failed) rig.run()).usage());
    }
  }
}
