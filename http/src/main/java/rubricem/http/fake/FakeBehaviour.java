package rubricem.http.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the stand-in does with one request. The factories are the catalogue of what real servers
 * were seen to do.
 */
public sealed interface FakeBehaviour {
  /** As a server in good order. */
  record Answer(FakeAnswer answer) implements FakeBehaviour {}

  /** One response as it is; {@code {{key}}} in the body becomes the key the client sent. */
  record Page(int status, Map<String, String> headers, String body) implements FakeBehaviour {}

  /** A stream written by hand. */
  record Stream(List<Step> steps) implements FakeBehaviour {}

  /** The connection is closed before a word is said. */
  record Drop() implements FakeBehaviour {}

  record Delay(Duration by, FakeBehaviour then) implements FakeBehaviour {}

  /** One part of a hand-written stream; at the end of the steps the stream ends properly. */
  sealed interface Step {
    /** Bytes as they are, sent at once. */
    record Raw(String text) implements Step {}

    record Pause(Duration time) implements Step {}

    /** Silence with an open connection, until the client or the stand-in closes it. */
    record Stall() implements Step {}

    /** The connection is closed in mid-stream. */
    record Cut() implements Step {}
  }

  static FakeBehaviour says(String content) {
    return new Answer(FakeAnswer.text(content));
  }

  static FakeBehaviour page(int status, String body) {
    return new Page(status, Map.of("Content-Type", "application/json"), body);
  }

  static FakeBehaviour rateLimited(Optional<Duration> retryAfter) {
    return new Page(
        429,
        retryAfter.map(d -> Map.of("Retry-After", String.valueOf(d.toSeconds()))).orElse(Map.of()),
        "{\"error\":{\"message\":\"Rate limit reached\",\"type\":\"requests\","
            + "\"param\":null,\"code\":\"rate_limit_exceeded\"}}");
  }

  static FakeBehaviour unavailable() {
    return page(503, "{\"error\":{\"message\":\"Overloaded\",\"type\":\"server_error\"}}");
  }

  static FakeBehaviour unauthorizedEchoingKey() {
    return page(
        401,
        "{\"error\":{\"message\":\"Incorrect API key provided: {{key}}.\","
            + "\"type\":\"invalid_request_error\",\"code\":\"invalid_api_key\"}}");
  }

  static FakeBehaviour htmlGatewayTimeout() {
    return new Page(
        504,
        Map.of("Content-Type", "text/html"),
        "<html><head><title>504 Gateway Time-out</title></head><body><hr>nginx</body></html>");
  }

  static FakeBehaviour stallsAfter(int deltas) {
    return new Stream(followedBy(deltas, new Step.Stall()));
  }

  static FakeBehaviour cutsAfter(int deltas) {
    return new Stream(followedBy(deltas, new Step.Cut()));
  }

  static FakeBehaviour failsAfter(int deltas) {
    return new Stream(
        followedBy(
            deltas,
            new Step.Raw(
                "data: {\"error\":{\"message\":\"the engine died\",\"type\":\"server_error\","
                    + "\"code\":null}}\n\n")));
  }

  /** Ends properly but says neither that it has finished nor {@code [DONE]}. */
  static FakeBehaviour endsAfter(int deltas) {
    return new Stream(followedBy(deltas));
  }

  /** Exactly these events, then {@code [DONE]}. */
  static FakeBehaviour events(String... data) {
    List<Step> steps = new ArrayList<>();
    for (String event : data) {
      steps.add(new Step.Raw("data: " + event + "\n\n"));
    }
    steps.add(new Step.Raw("data: [DONE]\n\n"));
    return new Stream(steps);
  }

  FakeBehaviour NEVER_ANSWERS = new Stream(List.of(new Step.Stall()));

  private static List<Step> followedBy(int deltas, Step... then) {
    List<Step> steps = new ArrayList<>();
    for (int i = 1; i <= deltas; i++) {
      steps.add(new Step.Raw("data: " + ChatWire.delta("word" + i + " ") + "\n\n"));
    }
    steps.addAll(List.of(then));
    return steps;
  }
}
