package rubricem.http.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import rubricem.http.fake.FakeAnswer;
import rubricem.http.fake.FakeAnswer.FakeToolCall;
import rubricem.http.fake.FakeBehaviour;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyOutcome;

/** Calls that a server delivers beside the text, there and back. */
class ToolsDialectTest {
  private static final String PLAN = "<structured_plan>p</structured_plan>";
  private static final String TURN = "<think>t</think>\n" + PLAN + "\n" + PolicyRig.CALL;

  private static PolicyRig tools(FakeBehaviour... behaviours) {
    return new PolicyRig(s -> s.with(OpenAiSettings.Dialect.TOOLS), behaviours);
  }

  private static FakeBehaviour calling(String content, String... arguments) {
    List<FakeToolCall> calls = new ArrayList<>();
    for (String argument : arguments) {
      calls.add(new FakeToolCall("call_" + calls.size(), "corpus_search", argument));
    }
    return new FakeBehaviour.Answer(
        FakeAnswer.text(content).calling(calls.toArray(FakeToolCall[]::new)));
  }

  @Test
  void a_complete_call_becomes_the_canonical_text() {
    for (OpenAiSettings.Dialect dialect : OpenAiSettings.Dialect.values()) {
      for (boolean streaming : List.of(true, false)) {
        try (PolicyRig rig =
            new PolicyRig(
                s -> s.with(dialect).withStreaming(streaming),
                calling("<think>t</think>\n" + PLAN, "{\"query\":\"tides\"}"))) {
          assertEquals(TURN, rig.generated().text());
        }
      }
    }
  }

  @Test
  void attributes_and_odd_characters_survive_the_way_into_the_text() {
    String arguments = "{\"q\":null,\"year\":2020,\"tags\":[\"a\",\"b\"],"
        + "\"input\":\"a < b & \\\"c\\\"\",\"gl\":\"d\\\"e>\",\"bad key\":1,\"name\":\"x\"}";
    try (PolicyRig rig = tools(calling("", arguments))) {
      String text = rig.generated().text();
      assertEquals("<call_tool name=\"corpus_search\" year=\"2020\" tags=\"a,b\""
          + " gl=\"d&quot;e&gt;\">a &lt; b &amp; \"c\"</call_tool>", text);
      var back = CallText.atEndOf(text).orElseThrow().call();
      assertEquals("a < b & \"c\"", back.query());
      assertEquals("d\"e>", back.attributes().get("gl"));
    }
  }

  @Test
  void the_finish_reason_decides_nothing() {
    String args = TextNode.valueOf("{\"query\":\"tides\"}").toString();
    for (String reason : List.of("stop", "tool_calls", "length", "function_call", "odd")) {
      for (boolean withCall : List.of(true, false)) {
        String delta = withCall
            ? "\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"corpus_search\","
                + "\"arguments\":" + args + "}}]"
            : "\"content\":\"no call\"";
        try (PolicyRig rig = tools(FakeBehaviour.events(
            "{\"choices\":[{\"index\":0,\"delta\":{" + delta + "}}]}",
            "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}"))) {
          PolicyOutcome.Generated turn = rig.generated();
          assertEquals(withCall ? PolicyRig.CALL : "no call", turn.text());
          assertEquals(
              !withCall && reason.equals("length") ? FinishReason.LENGTH : FinishReason.STOP,
              turn.finish());
        }
      }
    }
  }

  @Test
  void half_a_call_is_truncated_and_never_executed_whatever_the_reason_says() {
    for (String reason : List.of("tool_calls", "length", "stop")) {
      for (String half : List.of("", "{", "{\"query\":\"tid", "{\"query\":\"tides\"")) {
        String args = TextNode.valueOf(half).toString();
        try (PolicyRig rig = tools(FakeBehaviour.events(
            "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\","
                + "\"function\":{\"name\":\"corpus_search\",\"arguments\":" + args + "}}]}}]}",
            "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}"))) {
          OpenAiPolicyTest.assertTransient("truncated_call", rig.failure());
        }
      }
    }
    for (String garbled : List.of("{'query':'x'}", "[1]", "tides", "{\"a\":1}{\"b\":2}")) {
      try (PolicyRig rig = tools(calling("", garbled))) {
        OpenAiPolicyTest.assertTransient("protocol", rig.failure());
      }
    }
  }

  @Test
  void arguments_encoded_twice_are_read() {
    try (PolicyRig rig = tools(calling("", "\"{\\\"query\\\":\\\"tides\\\"}\""))) {
      assertEquals(PolicyRig.CALL, rig.generated().text());
    }
  }

  @Test
  void of_several_calls_the_first_counts_and_the_rest_is_reported() {
    try (PolicyRig rig = tools(calling("", "{\"query\":\"tides\"}", "{\"query\":\"moon\"}"))) {
      PolicyOutcome.Generated turn = rig.generated();
      assertEquals(PolicyRig.CALL, turn.text());
      assertEquals(1, turn.notes().size());
      assertTrue(turn.notes().getFirst().startsWith("1 more tool call"));
    }
    try (PolicyRig rig = tools(calling(TURN, "{\"query\":\"moon\"}"))) {
      assertEquals(
          TURN.replace("tides", "moon"), rig.generated().text(), "the half one in the text goes");
    }
  }

  @Test
  void a_call_printed_as_json_into_the_content_stays_content() {
    for (String printed :
        List.of("{\"name\":\"corpus_search\",\"arguments\":{\"query\":\"x\"}}",
            "```json\n{\"name\":\"corpus_search\"}\n```",
                "<tool_call>{\"name\":\"a\"}</tool_call>")) {
      for (OpenAiSettings.Dialect dialect : OpenAiSettings.Dialect.values()) {
        try (PolicyRig rig = new PolicyRig(s -> s.with(dialect), FakeBehaviour.says(printed))) {
          assertEquals(printed, rig.generated().text());
        }
      }
    }
  }

  private static final List<PolicyMessage> HISTORY =
      List.of(
          new PolicyMessage.User("Why tides?"),
          new PolicyMessage.Assistant(TURN),
          new PolicyMessage.ToolOutput("<tool_output>one</tool_output>"),
          new PolicyMessage.Assistant(
              "<think>u</think>\n<call_tool name='web' gl=\"de\">sea</call>"),
          new PolicyMessage.ToolOutput("<tool_output>two</tool_output>"),
          new PolicyMessage.Assistant("no action"),
          new PolicyMessage.User("Keep to the format."));

  @Test
  void replays_calls_with_ids_that_are_never_empty_and_always_the_same() {
    try (PolicyRig rig = tools(FakeBehaviour.says(TURN))) {
      rig.generated(HISTORY.toArray(PolicyMessage[]::new));
      rig.generated(HISTORY.subList(0, 5).toArray(PolicyMessage[]::new));
      JsonNode sent = rig.server.requests().get(0).body().path("messages");
      JsonNode shorter = rig.server.requests().get(1).body().path("messages");
      for (int i = 0; i < shorter.size(); i++) {
        assertEquals(sent.get(i), shorter.get(i));
      }
      List<String> roles = new ArrayList<>();
      Optional<String> open = Optional.empty();
      for (JsonNode message : sent) {
        roles.add(message.path("role").asText());
        if (message.path("role").asText().equals("tool")) {
          assertEquals(open, Optional.of(message.path("tool_call_id").textValue()));
        }
        JsonNode call = message.path("tool_calls").path(0);
        open = call.isObject() ? Optional.of(call.path("id").textValue()) : Optional.empty();
        assertTrue(open.map(id -> id.matches("[a-z0-9]{9}")).orElse(true));
      }
      assertEquals(
          List.of("system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user"),
          roles);
      assertEquals("<think>t</think>\n" + PLAN, sent.get(2).path("content").asText());
      assertEquals("{\"query\":\"sea\",\"gl\":\"de\"}",
          sent.get(4).at("/tool_calls/0/function/arguments").asText());
    }
  }

  @Test
  void the_text_dialect_sends_turns_as_they_are_and_tool_output_as_the_user() {
    try (PolicyRig rig = new PolicyRig(FakeBehaviour.says(TURN))) {
      rig.generated(
          new PolicyMessage.User("Q"), new PolicyMessage.Assistant(TURN),
          new PolicyMessage.ToolOutput("<tool_output>one</tool_output>"),
          new PolicyMessage.User("Note."));
      var request = rig.server.requests().getFirst();
      assertEquals(List.of("Q", "<tool_output>one</tool_output>\n\nNote."), request.texts("user"));
      assertEquals(List.of(TURN), request.texts("assistant"));
      assertFalse(request.body().has("tools"));
    }
  }

  @Test
  void declares_its_functions_and_forbids_calls_when_none_is_left() {
    try (PolicyRig rig = tools(FakeBehaviour.says("<answer>a</answer>"))) {
      rig.generated();
      var left = PolicyRig.request(PolicyRig.LONG);
      rig.run(new rubricem.protocol.port.PolicyRequest(
          left.callId(), left.episode(), 2, left.question(), left.format(), left.systemPrompt(),
          left.messages(), 0, 100, 7, left.timeout()));
      JsonNode first = rig.server.requests().get(0).body();
      assertEquals("corpus_search", first.at("/tools/0/function/name").asText());
      assertEquals("query", first.at("/tools/0/function/parameters/required/0").asText());
      assertEquals("auto", first.path("tool_choice").asText());
      JsonNode second = rig.server.requests().get(1).body();
      assertEquals("none", second.path("tool_choice").asText());
      assertEquals(100, second.path("max_tokens").asInt());
      assertFalse(first.path("seed").equals(second.path("seed")));
    }
  }

  @Test
  void replays_thinking_under_the_name_the_server_used_where_that_is_wanted() {
    PolicyMessage[] history = HISTORY.subList(0, 3).toArray(PolicyMessage[]::new);
    for (FakeAnswer.ThinkingAs as :
        List.of(FakeAnswer.ThinkingAs.REASONING, FakeAnswer.ThinkingAs.REASONING_CONTENT)) {
      String field = as == FakeAnswer.ThinkingAs.REASONING ? "reasoning" : "reasoning_content";
      for (boolean wanted : List.of(true, false)) {
        try (PolicyRig rig =
            new PolicyRig(
                s -> s.withReplayReasoning(wanted),
                new FakeBehaviour.Answer(FakeAnswer.text(PolicyRig.CALL).thinking("t", as)))) {
          rig.generated(history);
          rig.generated(history);
          JsonNode unknown = rig.server.requests().get(0).body().path("messages").get(2);
          JsonNode known = rig.server.requests().get(1).body().path("messages").get(2);
          assertEquals(TURN, unknown.path("content").asText());
          assertEquals(wanted ? "t" : "", known.path(field).asText());
          assertEquals(
              wanted ? TURN.substring(TURN.indexOf('\n') + 1) : TURN,
              known.path("content").asText());
        }
      }
    }
  }
}
