package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import rubricem.http.fake.FakeBehaviour;
import rubricem.http.fake.FakeModelServer;
import rubricem.http.fake.FakeScript;
import rubricem.protocol.CallId;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.scaffold.FormatLabel;

/** A policy and the stand-in it talks to, with short limits so that no test waits long. */
final class PolicyRig implements AutoCloseable {
  static final String KEY = "sk-test-4f9d2c7ab1e08635";
  static final String CALL = "<call_tool name=\"corpus_search\">tides</call_tool>";
  static final String TURN = "<think>t</think>\n<structured_plan>p</structured_plan>\n" + CALL;
  static final Duration LONG = Duration.ofSeconds(20);
  static final Duration SHORT = Duration.ofMillis(200);

  final FakeModelServer server;
  final OpenAiPolicy policy;
  final List<String> told = new ArrayList<>();

  PolicyRig(FakeBehaviour... behaviours) {
    this(s -> s, FakeScript.inOrder(behaviours));
  }

  PolicyRig(UnaryOperator<OpenAiSettings> change, FakeBehaviour... behaviours) {
    this(change, FakeScript.inOrder(behaviours));
  }

  PolicyRig(UnaryOperator<OpenAiSettings> change, FakeScript script) {
    try {
      this.server = FakeModelServer.start(0, script);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    this.policy = policy(server.baseUrl() + "#m", change.apply(OpenAiSettings.defaults()));
  }

  static OpenAiPolicy policy(String address, OpenAiSettings settings) {
    return new OpenAiPolicy(
        OpenAiAddress.parse(address),
        new Secret(KEY),
        settings,
        List.of(new FunctionTool("corpus_search", "Searches the local documents.")),
        Clock.systemUTC());
  }

  static UnaryOperator<OpenAiSettings> timeouts(Duration firstByte, Duration idle) {
    return s -> s.with(new OpenAiSettings.Timeouts(LONG, firstByte, idle));
  }

  static PolicyRequest request(Duration timeout, PolicyMessage... messages) {
    return new PolicyRequest(
        CallId.parse("e1/1"), new EpisodeId("e1"), 1, "Why tides?", FormatLabel.SHORT_FORM,
        "You research.",
        messages.length == 0 ? List.of(new PolicyMessage.User("Why tides?")) : List.of(messages),
        5, 4_000, 7, timeout);
  }

  PolicyOutcome run(PolicyMessage... messages) {
    return run(request(LONG, messages));
  }

  PolicyOutcome run(PolicyRequest request) {
    return await(policy, request, new GenerationWatcher() {
      @Override
      public void onText(String delta) {
        told.add(delta);
      }

      @Override
      public void onRestart(String reason) {}
    });
  }

  static PolicyOutcome await(OpenAiPolicy policy, PolicyRequest request,
      GenerationWatcher watcher) {
    try {
      return policy.generate(request, watcher).toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the stage must neither fail nor hang", e);
    }
  }

  PolicyOutcome.Generated generated(PolicyMessage... messages) {
    PolicyOutcome outcome = run(messages);
    return assertInstanceOf(PolicyOutcome.Generated.class, outcome, outcome::toString);
  }

  CallFailure failure() {
    return failure(run());
  }

  static CallFailure failure(PolicyOutcome outcome) {
    return assertInstanceOf(PolicyOutcome.Failed.class, outcome, outcome::toString).failure();
  }

  @Override
  public void close() {
    policy.close();
    server.close();
  }
}
