package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rubricem.http.llm.PolicyRig.CALL;
import static rubricem.http.llm.PolicyRig.LONG;
import static rubricem.http.llm.PolicyRig.SHORT;
import static rubricem.http.llm.PolicyRig.TURN;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeAnswer;
import rubricem.http.fake.FakeBehaviour;
import rubricem.http.fake.FakeBehaviour.Step;
import rubricem.http.fake.FakeScript;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyOutcome;

/** The policy against a server: what becomes of every good and bad way to answer. */
class OpenAiPolicyTest {

  @Test
  void puts_back_the_stop_text_that_servers_strip() {
    for (boolean streaming : List.of(true, false)) {
      for (int chunk : List.of(1, 5, 1_000)) {
        try (PolicyRig rig =
            new PolicyRig(
                s -> s.withStreaming(streaming),
                new FakeBehaviour.Answer(
                    FakeAnswer.text(TURN + "<tool_output>made up").inChunksOf(chunk)))) {
          PolicyOutcome.Generated turn = rig.generated();
          assertEquals(TURN, turn.text());
          assertEquals(FinishReason.STOP, turn.finish());
          assertEquals(
              List.of("</call_tool>", "</call>", "</answer>"),
              rig.server.requests().getFirst().body().path("stop").valueStream()
                  .map(s -> s.asText()).toList());
        }
      }
    }
  }

  @Test
  void closes_the_element_that_was_open_when_the_server_stopped() {
    String answer = "<think>t</think>\n<answer>It is <cite id=\"S_1\">so</cite>.</answer>";
    String quoted = "<think>I will write <call_tool name=\"a\"> soon</think>\n" + CALL;
    for (String text : List.of(answer, quoted, TURN)) {
      try (PolicyRig rig = new PolicyRig(FakeBehaviour.says(text))) {
        assertEquals(text, rig.generated().text());
      }
    }
  }

  @Test
  void a_server_that_ignores_stop_texts_is_cut_at_the_action_and_exactly_one_call_is_left() {
    String over = TURN + "\n<tool_output>invented</tool_output>\n" + CALL;
    String[] events = over.chars().mapToObj(c -> delta(String.valueOf((char) c)))
        .toArray(String[]::new);
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.events(events))) {
      PolicyOutcome.Generated turn = rig.generated();
      assertEquals(TURN, turn.text());
      assertEquals(1, turn.notes().size());
      assertEquals(TURN, String.join("", rig.told));
    }
  }

  @Test
  void a_stop_text_quoted_in_a_page_of_the_history_changes_nothing() {
    try (PolicyRig rig = new PolicyRig(new FakeBehaviour.Answer(FakeAnswer.text(TURN).inChunksOf(
        3)))) {
      PolicyOutcome.Generated turn =
          rig.generated(
              new PolicyMessage.User("Q"),
              new PolicyMessage.Assistant(TURN),
              new PolicyMessage.ToolOutput("<tool_output>see &lt;/call_tool> there</tool_output>"));
      assertEquals(TURN, turn.text());
    }
  }

  @Test
  void keeps_the_stop_text_once_where_the_server_includes_it() {
    try (PolicyRig rig =
        new PolicyRig(s -> s.withIncludeStopInOutput(true), FakeBehaviour.says(TURN))) {
      assertEquals(TURN, rig.generated().text());
      assertTrue(
          rig.server.requests().getFirst().body().path("include_stop_str_in_output").asBoolean());
    }
  }

  @Test
  void thinking_is_stored_the_same_whichever_way_it_comes() {
    for (boolean streaming : List.of(true, false)) {
      for (FakeAnswer.ThinkingAs as : FakeAnswer.ThinkingAs.values()) {
        try (PolicyRig rig =
            new PolicyRig(
                s -> s.withStreaming(streaming),
                new FakeBehaviour.Answer(
                    FakeAnswer.text("<structured_plan>p</structured_plan>\n" + CALL)
                        .thinking("first, the moon", as).inChunksOf(4)))) {
          PolicyOutcome.Generated turn = rig.generated();
          assertEquals(
              "<think>first, the moon</think>\n<structured_plan>p</structured_plan>\n" + CALL,
              turn.text(), as::toString);
          assertEquals(Optional.of("first, the moon"), turn.thinking());
          assertTrue(String.join("", rig.told).startsWith("<think>first, the moon</think>\n<str"));
        }
      }
    }
  }

  @Test
  void an_output_limit_gives_the_partial_text_and_says_so() {
    for (boolean streaming : List.of(true, false)) {
      try (PolicyRig rig =
          new PolicyRig(
              s -> s.withStreaming(streaming),
              FakeBehaviour.says("<think>t</think>\n<answer>" + "x".repeat(
                  20_000) + "</answer>"))) {
        PolicyOutcome.Generated turn = rig.generated();
        assertEquals(FinishReason.LENGTH, turn.finish());
        assertEquals(16_000, turn.text().length());
        assertFalse(turn.text().endsWith("</answer>"));
      }
    }
  }

  @Test
  void a_stalled_stream_is_noticed_by_its_silence() {
    try (PolicyRig rig = new PolicyRig(PolicyRig.timeouts(LONG, SHORT),
        FakeBehaviour.stallsAfter(5))) {
      CallFailure failure = rig.failure();
      assertTransient("stalled", failure);
      assertEquals("word1 word2 word3 word4 word5 ", String.join("", rig.told));
    }
  }

  @Test
  void heartbeat_comments_do_not_hide_a_stall() {
    List<Step> steps = new java.util.ArrayList<>(List.of(new Step.Raw("data: " + delta(
        "a") + "\n\n")));
    for (int i = 0; i < 200; i++) {
      steps.add(new Step.Raw(": ping\n\n"));
      steps.add(new Step.Pause(Duration.ofMillis(50)));
    }
    try (PolicyRig rig =
        new PolicyRig(PolicyRig.timeouts(LONG, SHORT), new FakeBehaviour.Stream(steps))) {
      assertTransient("stalled", rig.failure());
    }
  }

  @Test
  void a_server_that_never_begins_and_one_that_never_ends_time_out() {
    try (PolicyRig rig =
        new PolicyRig(PolicyRig.timeouts(SHORT, LONG), FakeBehaviour.NEVER_ANSWERS)) {
      assertTransient("timeout", rig.failure());
    }
    try (PolicyRig rig =
        new PolicyRig(
            PolicyRig.timeouts(SHORT, LONG),
            new FakeBehaviour.Delay(LONG, FakeBehaviour.says(TURN)))) {
      assertTransient("timeout", rig.failure());
    }
    try (PolicyRig rig = new PolicyRig(PolicyRig.timeouts(LONG, LONG),
        FakeBehaviour.stallsAfter(2))) {
      assertTransient("timeout", PolicyRig.failure(rig.run(PolicyRig.request(SHORT))));
    }
  }

  @Test
  void a_connection_that_breaks_is_a_connection_failure_and_never_a_turn() {
    for (FakeBehaviour broken : List.of(new FakeBehaviour.Drop(), FakeBehaviour.cutsAfter(3))) {
      try (PolicyRig rig = new PolicyRig(broken)) {
        assertTransient("connect", rig.failure());
      }
    }
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.endsAfter(3))) {
      assertTransient("protocol", rig.failure());
    }
  }

  @Test
  void a_finished_turn_needs_no_last_word() {
    String end = "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}";
    List<Step> said =
        List.of(new Step.Raw("data: " + delta(TURN) + "\n\n"),
            new Step.Raw("data: " + end + "\n\n"));
    for (List<Step> tail : List.<List<Step>>of(
        List.of(), List.of(new Step.Cut()), List.of(new Step.Stall()))) {
      List<Step> steps = new java.util.ArrayList<>(said);
      steps.addAll(tail);
      try (PolicyRig rig =
          new PolicyRig(PolicyRig.timeouts(LONG, SHORT), new FakeBehaviour.Stream(steps))) {
        assertEquals(TURN, rig.generated().text());
      }
    }
  }

  @Test
  void comments_heartbeats_and_split_characters_are_read_through() {
    String turn = "<think>Gezeiten – 潮汐 🌊</think>\n" + CALL;
    String event = "data: " + delta(turn) + "\r\n\r\n";
    try (PolicyRig rig =
        new PolicyRig(
            new FakeBehaviour.Stream(
                List.of(
                    new Step.Raw(": OPENROUTER PROCESSING\n\n"),
                    new Step.Raw("event: ping\n\ndata:\n\nid: 7\nretry: 10\n\n"),
                    new Step.Raw(event),
                    new Step.Raw("data: [DONE]\n\n"))))) {
      assertEquals(turn, rig.generated().text());
    }
  }

  @Test
  void an_error_in_mid_stream_is_that_error() {
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.failsAfter(3))) {
      CallFailure failure = rig.failure();
      assertTransient("server_error", failure);
      assertTrue(failure.message().contains("the engine died"));
    }
  }

  @Test
  void takes_the_usage_of_the_last_event_and_reckons_it_where_there_is_none() {
    OpenAiSettings.Prices prices = new OpenAiSettings.Prices(2, 8);
    try (PolicyRig rig =
        new PolicyRig(
            s -> s.with(prices),
            FakeBehaviour.events(
                delta(TURN),
                "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}",
                "{\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":500}}"),
            new FakeBehaviour.Answer(FakeAnswer.text(TURN).withoutUsage()))) {
      var told = rig.generated().usage();
      assertEquals(1000, told.promptTokens());
      assertEquals(500, told.completionTokens());
      assertEquals(0.006, told.costUsd(), 1e-12);
      var reckoned = rig.generated().usage();
      assertEquals((13 + 10 + 3) / 4, reckoned.promptTokens());
      assertEquals(
          (TURN.length() - "</call_tool>".length() + 3) / 4, reckoned.completionTokens());
    }
  }

  @Test
  void a_server_that_refuses_stream_options_gets_the_request_without_them_and_only_once() {
    FakeScript strict =
        request ->
            request.body().has("stream_options")
                ? FakeBehaviour.page(
                    400, "{\"detail\":\"extra fields not permitted: stream_options\"}")
                : FakeBehaviour.says(TURN);
    try (PolicyRig rig = new PolicyRig(s -> s, strict)) {
      assertEquals(TURN, rig.generated().text());
      assertEquals(TURN, rig.generated().text());
      assertEquals(3, rig.server.requests().size());
    }
    try (PolicyRig rig =
        new PolicyRig(FakeBehaviour.page(400, "{\"detail\":\"stream_options, always\"}"))) {
      assertTerminal("bad_request", rig.failure());
      assertEquals(2, rig.server.requests().size());
    }
  }

  @Test
  void a_model_that_knows_only_the_newer_output_limit_gets_it() {
    FakeScript strict =
        request ->
            request.body().has("max_tokens")
                ? FakeBehaviour.page(
                    400,
                    "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens'. Use"
                        + " 'max_completion_tokens' instead.\",\"param\":\"max_tokens\"}}")
                : FakeBehaviour.says(TURN);
    try (PolicyRig rig = new PolicyRig(s -> s, strict)) {
      assertEquals(TURN, rig.generated().text());
      assertEquals(4_000,
          rig.server.requests().get(1).body().path("max_completion_tokens").asInt());
    }
  }

  @Test
  void nothing_is_repeated_here() {
    for (FakeBehaviour bad :
        List.of(
            FakeBehaviour.unavailable(),
            FakeBehaviour.rateLimited(Optional.empty()),
            FakeBehaviour.htmlGatewayTimeout(),
            FakeBehaviour.cutsAfter(1),
            new FakeBehaviour.Drop())) {
      try (PolicyRig rig = new PolicyRig(bad, FakeBehaviour.says(TURN))) {
        PolicyRig.failure(rig.run());
        assertEquals(1, rig.server.requests().size(), bad::toString);
      }
    }
  }

  @Test
  void an_accepted_answer_with_another_2xx_status_is_an_answer() {
    String whole =
        "{\"model\":\"m-1\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\","
            + "\"message\":{\"role\":\"assistant\",\"content\":\"<answer>a</answer>\"}}]}";
    try (PolicyRig rig =
        new PolicyRig(FakeBehaviour.page(202, whole), FakeBehaviour.page(202, ""))) {
      PolicyOutcome.Generated turn = rig.generated();
      assertEquals("<answer>a</answer>", turn.text());
      assertEquals("m-1", turn.modelVersion());
      assertTransient("protocol", rig.failure());
    }
  }

  @Test
  void a_page_instead_of_a_completion_says_where_to_look() {
    try (PolicyRig rig =
        new PolicyRig(
            new FakeBehaviour.Page(
                200,
                Map.of("Content-Type", "text/html"),
                "<html><head><title>Welcome</title></head></html>"))) {
      CallFailure failure = rig.failure();
      assertTerminal("protocol", failure);
      assertTrue(failure.message().contains("BASE_URL"));
    }
  }

  @Test
  void an_answer_without_end_is_cut_at_the_bound() {
    OpenAiSettings.Bounds tight = new OpenAiSettings.Bounds(2_000, 500, 100, 4, LONG);
    List<Step> steps = new java.util.ArrayList<>();
    for (int i = 0; i < 100; i++) {
      steps.add(new Step.Raw("data: " + delta("blah") + "\n\n"));
    }
    for (FakeBehaviour endless :
        List.of(
            new FakeBehaviour.Stream(steps),
            new FakeBehaviour.Stream(List.of(new Step.Raw("data: " + "x".repeat(1_500)))),
            FakeBehaviour.page(200, "{\"x\":\"" + "x".repeat(5_000) + "\"}"))) {
      try (PolicyRig rig = new PolicyRig(s -> s.with(tight), endless)) {
        assertTerminal("protocol", rig.failure());
      }
    }
    try (PolicyRig rig =
        new PolicyRig(s -> s.with(tight), FakeBehaviour.page(503, "y".repeat(50_000)))) {
      CallFailure failure = rig.failure();
      assertTransient("server_error", failure);
      assertTrue(failure.message().length() < 400);
    }
  }

  @Test
  void a_refusal_is_a_failure_and_no_turn() {
    try (PolicyRig rig =
        new PolicyRig(
            FakeBehaviour.events("{\"choices\":[{\"delta\":{\"refusal\":\"I will not\"}}]}",
                "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"),
            FakeBehaviour.events(
                "{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}"),
            FakeBehaviour.events(delta("part"),
                "{\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}"))) {
      assertTerminal("filtered", rig.failure());
      assertTerminal("filtered", rig.failure());
      assertEquals(FinishReason.FILTERED, rig.generated().finish());
    }
  }

  @Test
  void a_server_without_choices_is_a_protocol_error() {
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.events("{\"choices\":[]}"),
        FakeBehaviour.events("no json"), FakeBehaviour.events("[1]"))) {
      for (int i = 0; i < 3; i++) {
        assertTransient("protocol", rig.failure());
      }
    }
  }

  static String delta(String text) {
    return "{\"choices\":[{\"index\":0,\"delta\":{\"content\":"
        + com.fasterxml.jackson.databind.node.TextNode.valueOf(text) + "}}]}";
  }

  static void assertTransient(String kind, CallFailure failure) {
    assertEquals(kind, failure.kind(), failure::toString);
    assertTrue(failure instanceof CallFailure.Transient, failure::toString);
  }

  static void assertTerminal(String kind, CallFailure failure) {
    assertEquals(kind, failure.kind(), failure::toString);
    assertTrue(failure instanceof CallFailure.Terminal, failure::toString);
  }
}
