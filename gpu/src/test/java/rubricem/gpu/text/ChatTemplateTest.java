package rubricem.gpu.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.Golden;

class ChatTemplateTest {
  static Stream<JsonNode> handed() {
    return StreamSupport.stream(Golden.json("chat_template.json").spliterator(), false);
  }

  @ParameterizedTest
  @MethodSource("handed")
  void handed_conversations_are_rendered_as_handed(JsonNode sample) {
    assertEquals(sample.get("rendered").asText(), render(sample), sample.get("name").asText());
  }

  private static String render(JsonNode sample) {
    List<JsonNode> tools = new ArrayList<>();
    sample.path("tools").forEach(tools::add);
    return ChatTemplate.render(
        ChatMessage.list(sample.get("messages")),
        tools,
        sample.path("add_generation_prompt").asBoolean(),
        sample.path("enable_thinking").asBoolean(true));
  }

  @Test
  void without_any_question_no_answer_shows_its_thoughts() {
    assertEquals(
        "<|im_start|>assistant\nb<|im_end|>\n",
        ChatTemplate.render(
            List.of(ChatMessage.assistant("<think>\na\n</think>\n\nb")), List.of(), false, true));
  }

  @ParameterizedTest
  @CsvSource({
    "'<think>a<think>\\n\\nb\\n\\n</think>\\n\\n\\nc',   b,     c",
    "'a</think>b</think>\\nc',                           a,     c",
    "'no end <think>',                                   '',    no end <think>",
    "'<think>\\n\\n</think>\\n\\nx',                     '',    x",
    "' lead\\n</think> c',                               ' lead', ' c'",
  })
  void thoughts_in_the_content_are_parted_from_it(String content, String thoughts, String rest) {
    assertEquals(
        "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n<think>\n"
            + thoughts + "\n</think>\n\n" + rest + "<|im_end|>\n",
        ChatTemplate.render(
            List.of(
                ChatMessage.user("q"), ChatMessage.assistant(content.replace("\\n", "\n"))),
            List.of(), false, true));
  }

  @Test
  void calls_with_arguments_as_text_or_without_a_function_element_are_printed() throws Exception {
    JsonNode messages =
        json(
            """
            [{"role":"user","content":"q"},
             {"role":"assistant","content":null,"tool_calls":[
               {"name":"f","arguments":"{\\"a\\":1}"},
               {"function":{"name":"g","arguments":{"b":[1,2.50,true,null]}}}]}]""");
    assertEquals(
        """
        <|im_start|>user
        q<|im_end|>
        <|im_start|>assistant
        <think>

        </think>

        <tool_call>
        {"name": "f", "arguments": {"a":1}}
        </tool_call>
        <tool_call>
        {"name": "g", "arguments": {"b": [1, 2.5, true, null]}}
        </tool_call><|im_end|>
        """,
        ChatTemplate.render(ChatMessage.list(messages), List.of(), false, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[{\"role\":\"critic\",\"content\":\"x\"}]",
        "[{\"content\":\"x\"}]",
        "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}]"
      })
  void what_is_no_conversation_of_texts_is_refused(String messages) throws Exception {
    JsonNode read = json(messages);
    assertThrows(
        IllegalArgumentException.class, () -> ChatTemplate.prompt(ChatMessage.list(read)));
  }

  @ParameterizedTest
  @CsvSource({
    "1e-7, 1e-07", "1E5, 100000.0", "1e16, 1e+16", "123456789012345680, 123456789012345680",
    "1.0e15, 1000000000000000.0", "0.0001, 0.0001", "0.00001, 1e-05", "-0.0, -0.0", "-0, 0",
    "1.5e300, 1.5e+300", "5e-324, 5e-324", "2.50, 2.5", "1e400, Infinity",
    "123456789012345678901234567890.5, 1.2345678901234568e+29",
    "123456789012345678901234567890, 123456789012345678901234567890"
  })
  void numbers_are_printed_as_python_prints_them(String text, String printed) throws Exception {
    StringBuilder out = new StringBuilder();
    PythonJson.write(json("[" + text + "]"), out);
    assertEquals("[" + printed + "]", out.toString());
  }

  @Test
  void strings_are_printed_as_python_prints_them() throws Exception {
    StringBuilder out = new StringBuilder();
    PythonJson.write(
        json(
            """
            {"a\\"b\\\\\\n\\r\\t\\b\\f\\u0001\\u007f\\/":"\\u00e9\\ud83d\\ude42<|im_end|>",
            "e":{}}"""),
        out);
    assertEquals(
        """
        {"a\\"b\\\\\\n\\r\\t\\b\\f\\u0001\u007f/": "\u00e9\ud83d\ude42<|im_end|>", "e": {}}""",
        out.toString());
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return new ObjectMapper().readTree(text);
  }
}
