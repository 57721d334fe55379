package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import rubricem.http.fake.FakeBehaviour;
import rubricem.protocol.port.CallFailure;

/** What a refusal means: whether a repeat can help, and what the person is told. */
class OpenAiErrorsTest {
  private static final OpenAiErrors ERRORS = new OpenAiErrors(new Secret(PolicyRig.KEY));

  @ParameterizedTest(name = "{0} {3}")
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "401 | auth             | no  | {\"error\":{\"code\":\"invalid_api_key\"}}",
    "403 | auth             | no  | <html><title>Forbidden</title></html>",
    "402 | quota            | no  | {\"error\":\"pay\"}",
    "429 | rate_limit       | yes | {\"error\":{\"message\":\"slow down\"}}",
    "429 | quota            | no  | {\"error\":{\"code\":\"insufficient_quota\"}}",
    "400 | bad_request      | no  | {\"error\":{\"message\":\"temperature out of range\"}}",
    "422 | bad_request      | no  | {\"detail\":[{\"msg\":\"field required\"}]}",
    "404 | bad_request      | no  | {\"error\":\"model 'x' not found\"}",
    "307 | bad_request      | no  | ~~",
    "400 | context_too_long | no  | {\"error\":{\"code\":\"context_length_exceeded\"}}",
    "400 | context_too_long | no  | {\"object\":\"error\",\"message\":\"context length is 4\"}",
    "400 | context_too_long | no  | {\"error\":\"exceeds the context size\"}",
    "413 | context_too_long | no  | {\"error\":{\"message\":\"prompt is too long: 9 tokens\"}}",
    "400 | filtered         | no  | {\"error\":{\"message\":\"x\",\"code\":\"content_filter\"}}",
    "408 | timeout          | yes | ~~",
    "409 | server_error     | yes | ~~",
    "500 | server_error     | yes | {\"object\":\"error\",\"message\":\"boom\"}",
    "503 | server_error     | yes | {\"error\":{\"message\":\"Overloaded\"}}",
    "504 | server_error     | yes | <html><title>504 Gateway Time-out</title></html>",
    "529 | server_error     | yes | not json {",
  })
  void is_told_apart_by_status_and_body(int status, String kind, String again, String body) {
    String sent = body == null ? "" : body;
    CallFailure failure =
        ERRORS.failure(status, OpenAiErrors.read(sent), Optional.empty(), false);
    assertEquals(kind, failure.kind(), failure::toString);
    assertEquals(again.equals("yes"), failure instanceof CallFailure.Transient);
    assertTrue(failure.message().contains("HTTP " + status));
    assertFalse(failure.message().contains("<html"));
  }

  @Test
  void both_shapes_of_an_error_body_give_its_message() {
    for (String body :
        List.of(
            "{\"error\":{\"message\":\"the reason\"}}",
                "{\"object\":\"error\",\"message\":\"the reason\"}",
            "{\"error\":\"the reason\"}", "{\"detail\":\"the reason\"}", "the reason",
            "<html><TITLE>the reason</TITLE>")) {
      CallFailure failure =
          ERRORS.failure(500, OpenAiErrors.read(body), Optional.empty(), false);
      assertTrue(failure.message().contains("the reason"), failure::toString);
    }
  }

  @Test
  void an_error_inside_a_stream_is_told_apart_by_its_code_or_type() {
    assertEquals("rate_limit",
        inStream("{\"error\":{\"message\":\"x\",\"code\":\"rate_limit_exceeded\"}}"));
    assertEquals("auth",
        inStream("{\"error\":{\"message\":\"x\",\"type\":\"authentication_error\"}}"));
    assertEquals("bad_request",
        inStream("{\"error\":{\"message\":\"x\",\"type\":\"BadRequestError\",\"code\":400}}"));
    assertEquals("server_error", inStream("{\"error\":\"x\"}"));
    assertEquals("server_error", inStream("{\"object\":\"error\",\"message\":\"x\",\"code\":500}"));
    assertEquals("context_too_long",
        inStream("{\"error\":{\"message\":\"maximum context length is 5\",\"code\":400}}"));
    assertTrue(OpenAiErrors.errorIn(JsonText.object("{\"error\":null}").orElseThrow()).isEmpty());
  }

  private static String inStream(String event) {
    return ERRORS.inStream(
            OpenAiErrors.errorIn(JsonText.object(event).orElseThrow()).orElseThrow()).kind();
  }

  @Test
  void a_server_that_says_a_repeat_is_pointless_is_believed() {
    try (PolicyRig rig =
        new PolicyRig(new FakeBehaviour.Page(503, Map.of("x-should-retry", "false"), "no"))) {
      OpenAiPolicyTest.assertTerminal("server_error", rig.failure());
    }
  }

  @Test
  void waits_as_long_as_the_server_asks() {
    try (PolicyRig rig =
        new PolicyRig(
            FakeBehaviour.rateLimited(Optional.of(Duration.ofSeconds(7))),
            FakeBehaviour.rateLimited(Optional.empty()),
            new FakeBehaviour.Page(503, Map.of("retry-after-ms", "1500", "retry-after", "9"),
                ""))) {
      assertEquals(Optional.of(Duration.ofSeconds(7)), retryAfter(rig));
      assertEquals(Optional.empty(), retryAfter(rig));
      assertEquals(Optional.of(Duration.ofMillis(1500)), retryAfter(rig));
    }
  }

  private static Optional<Duration> retryAfter(PolicyRig rig) {
    return ((CallFailure.Transient) rig.failure()).retryAfter();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "retry-after    | 3                             | 3000",
    "retry-after    | 0.5                           | 500",
    "retry-after    | -4                            | 0",
    "retry-after    | Sun, 06 Nov 1994 08:49:40 GMT | 3000",
    "retry-after    | Sun, 06 Nov 1994 08:49:00 GMT | 0",
    "retry-after    | 99999999999999                | 60000",
    "retry-after    | Mon, 06 Nov 2034 08:49:40 GMT | 60000",
    "retry-after    | NaN                           | -1",
    "retry-after    | soon                          | -1",
    "retry-after-ms | 250                           | 250",
  })
  void a_wait_is_read_in_every_form_and_bounded(String header, String value, long millis) {
    Optional<Duration> wait =
        RetryAfter.read(
            name -> name.equals(header) ? Optional.of(value) : Optional.empty(),
            Instant.parse("1994-11-06T08:49:37Z"),
            Duration.ofMinutes(1));
    assertEquals(millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis)), wait);
  }

  @Test
  void the_key_is_sent_and_appears_in_no_failure_no_log_and_no_text() {
    Logger root = (Logger) LoggerFactory.getLogger("rubricem");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Level before = root.getLevel();
    root.setLevel(Level.TRACE);
    root.addAppender(log);
    log.start();
    String partly = PolicyRig.KEY.substring(0, 12) + "****";
    try (PolicyRig rig =
        new PolicyRig(
            FakeBehaviour.unauthorizedEchoingKey(),
            new FakeBehaviour.Page(500, Map.of(), "x".repeat(295) + " Bearer {{key}}"),
            FakeBehaviour.page(400, "{\"error\":{\"message\":\"stream_options {{key}}\"}}"),
            FakeBehaviour.events("{\"error\":{\"message\":\"key " + PolicyRig.KEY + "\"}}"),
            FakeBehaviour.page(401, "{\"error\":{\"message\":\"key " + partly + "\"}}"))) {
      for (int i = 0; i < 5; i++) {
        String shown = rig.run() + rig.policy.spec() + rig.policy;
        assertFalse(shown.contains(PolicyRig.KEY.substring(0, 8)), shown);
        assertFalse(shown.contains(PolicyRig.KEY.substring(14)), shown);
      }
      assertEquals("Bearer " + PolicyRig.KEY,
          rig.server.requests().getFirst().header("authorization").orElseThrow());
      assertTrue(log.list.stream().noneMatch(e -> e.getFormattedMessage().contains("sk-test")));
    } finally {
      root.detachAppender(log);
      root.setLevel(before);
    }
  }
}
