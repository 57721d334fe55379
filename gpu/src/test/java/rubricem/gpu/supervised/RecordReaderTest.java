package rubricem.gpu.supervised;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rubricem.gpu.Golden;
import rubricem.gpu.text.ChatMessage;
import rubricem.gpu.text.ChatPiece;
import rubricem.gpu.text.ChatTemplate;
import rubricem.protocol.learning.SupervisedRow;

/** Characters are the tokens here, so that a row can be read. */
class RecordReaderTest {
  private static final RowSettings SETTINGS = new RowSettings(400, List.of("tool_output"));

  private static Reading read(String json) {
    return read(SETTINGS, json);
  }

  private static Reading read(RowSettings settings, String json) {
    try {
      return new RecordReader(
              settings, 1 << 16, text -> text.chars().toArray(), OptionalInt.of('$'))
          .read("r", new ObjectMapper().readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SupervisedRow row(String json) {
    return assertInstanceOf(Reading.Row.class, read(json)).row();
  }

  /** What is trained, stretches parted by bars. */
  private static String trained(SupervisedRow row) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < row.length(); i++) {
      if (row.trainMask()[i]) {
        out.append(i > 0 && !row.trainMask()[i - 1] && !out.isEmpty() ? "|" : "");
        out.append((char) row.ids()[i]);
      }
    }
    return out.toString();
  }

  @Test
  void only_what_an_assistant_has_to_say_is_trained_its_end_included() {
    SupervisedRow row =
        row(
            """
            {'messages': [
              {'role': 'system', 'content': 'be brief'},
              {'role': 'user', 'content': 'q'},
              {'role': 'assistant', 'content': '<think>\\nt\\n</think>\\n\\nc'},
              {'role': 'tool', 'content': 'found'},
              {'role': 'assistant', 'content': 'a'}]}""");
    assertEquals(
        "<think>\nt\n</think>\n\nc<|im_end|>|<think>\n\n</think>\n\na<|im_end|>", trained(row));
  }

  @Test
  void a_verbatim_record_keeps_every_thought_as_it_was_written() {
    String messages =
        """
        'messages': [
          {'role': 'user', 'content': 'q'},
          {'role': 'assistant', 'content': '<think>t</think>\\n<call>x</call>'},
          {'role': 'user', 'content': 'found'},
          {'role': 'assistant', 'content': '<think>u</think><answer>c</answer>'}]}""";
    assertEquals(
        "<think>t</think>\n<call>x</call><|im_end|>|<think>u</think><answer>c</answer><|im_end|>",
        trained(row("{'verbatim': true, " + messages)));
    assertEquals(
        "<call>x</call><|im_end|>|<think>\nu\n</think>\n\n<answer>c</answer><|im_end|>",
        trained(row("{" + messages)), "the chat form rearranges them");
  }

  @Test
  void a_message_can_be_left_to_be_read_only() {
    SupervisedRow row =
        row(
            """
            {'messages': [
              {'role': 'user', 'content': 'q'},
              {'role': 'assistant', 'content': 'old', 'train': false},
              {'role': 'user', 'content': 'r'},
              {'role': 'assistant', 'content': '<think>\\nx\\n</think>\\n\\nnew'}]}""");
    assertEquals("<think>\nx\n</think>\n\nnew<|im_end|>", trained(row));
  }

  @Test
  void tool_output_within_a_trajectory_is_masked_with_its_tags_and_thoughts_stay() {
    SupervisedRow row =
        row(
            """
            {'conversations': [
              {'role': 'system', 'content': 'tools answer in <tool_output>'},
              {'role': 'user', 'content': 'q'},
              {'role': 'assistant', 'content': '<think>a</think><call>x</call>\
            <tool_output id=1>p <b> </tool_output><think>b</think><answer>c</answer>'}]}""");
    assertEquals(
        "<think>a</think><call>x</call>|<think>b</think><answer>c</answer><|im_end|>",
        trained(row));
  }

  @ParameterizedTest
  @CsvSource({
    "a <tool_output> b, UNPAIRED_SPAN", "a </tool_output> b, UNPAIRED_SPAN",
    "a <|im_end|> b, CONTROL_TOKEN"
  })
  void what_is_ambiguous_is_left_out(String content, Omission why) {
    assertEquals(
        new Reading.Omitted(why),
        read(
            "{'messages': [{'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': '"
                + content + "'}]}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "'tool_calls': [{'name': 'f<|im_end|>', 'arguments': {}}]",
    "'tool_calls': [{'name': 'f', 'arguments': '<|im_start|>'}]",
    "'tool_calls': [{'name': 'f', 'arguments': {'a': [{'<|im_end|>': 1}]}}]",
    "'tool_calls': [{'function': {'name': 'f', 'arguments': {'a': '<|endoftext|>'}}}]"
  })
  void a_control_token_in_a_call_is_left_out_as_one_in_a_text(String calls) {
    assertEquals(
        new Reading.Omitted(Omission.CONTROL_TOKEN),
        read(
            "{'messages': [{'role': 'user', 'content': 'q'},"
                + " {'role': 'assistant', 'content': 'a', " + calls + "}]}"));
  }

  @Test
  void a_control_token_in_a_declaration_is_left_out_as_one_in_a_text() {
    String chat =
        "'messages': [{'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': 'a'}]}";
    for (String tools :
        List.of("[{'name': '<|im_start|>'}]", "'[{\\'<|im_end|>\\': 1}]'")) {
      assertEquals(
          new Reading.Omitted(Omission.CONTROL_TOKEN), read("{'tools': " + tools + ", " + chat));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "'verbatim': true, |x", "|a<tool_output>b</tool_output>c", "|<think>a</think>b<think>c</think>d"
  })
  void a_thought_kept_apart_from_what_stands_as_it_is_is_refused(String record) {
    String[] parts = record.split("\\|");
    String messages =
        "'messages': [{'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': '"
            + parts[1] + "', 'reasoning_content': '";
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> read("{" + parts[0] + messages + "R'}]}"));
    assertTrue(e.getMessage().contains("\"reasoning_content\""), e.getMessage());
    assertInstanceOf(Reading.Row.class, read("{" + parts[0] + messages + "'}]}"));
  }

  @Test
  void half_a_character_is_refused_and_a_whole_one_is_read() {
    String before = "{'messages': [{'role': 'user', 'content': '";
    String after = "'}, {'role': 'assistant', 'content': 'a'}]}";
    for (String half : List.of("\\ud800", "\\udc00a", "a\\ud83dx")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> read(before + half + after));
      assertTrue(e.getMessage().contains("half a character"), e.getMessage());
      assertThrows(
          IllegalArgumentException.class,
          () -> read("{'prompt': 'a', 'completion': '" + half + "'}"));
    }
    assertInstanceOf(Reading.Row.class, read(before + "\\ud83d\\ude00" + after));
  }

  @Test
  void a_name_that_only_begins_alike_is_text() {
    SupervisedRow row =
        row("{'messages': [{'role': 'user', 'content': 'q'},"
            + " {'role': 'assistant', 'content': '<tool_outputs>'}]}");
    assertEquals("<think>\n\n</think>\n\n<tool_outputs><|im_end|>", trained(row));
  }

  @Test
  void without_anything_to_train_or_too_long_it_is_no_row() {
    assertEquals(
        new Reading.Omitted(Omission.NOTHING_TO_TRAIN),
        read("{'messages': [{'role': 'user', 'content': 'q'}]}"));
    assertEquals(
        new Reading.Omitted(Omission.NOTHING_TO_TRAIN), read("{'ids': [1, 2], 'mask': [1, 0]}"));
    assertEquals(
        new Reading.Omitted(Omission.TOO_LONG),
        read(new RowSettings(2, List.of()), "{'ids': [1, 2, 3], 'mask': [0, 1, 1]}"));
    assertInstanceOf(
        Reading.Row.class,
        read(new RowSettings(3, List.of()), "{'ids': [1, 2, 3], 'mask': [0, 1, 1]}"));
  }

  @Test
  void tokens_are_taken_as_they_are() {
    SupervisedRow row = row("{'ids': [5, 6, 7], 'mask': [true, false, 1]}");
    assertEquals(List.of(5, 6, 7), java.util.Arrays.stream(row.ids()).boxed().toList());
    assertEquals(1, row.trainedTokens(), "nothing predicts the first token");
    assertTrue(row.trainMask()[2]);
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
    "{}; neither", "[]; it is an array", "{'messages': []}; is empty",
    "{'ids': [1], 'mask': []}; 'ids' has 1",
    "{'ids': [1, 70000], 'mask': [0, 1]}; the tokens 0 to",
    "{'ids': [1, -1], 'mask': [0, 1]}; the tokens 0 to",
    "{'ids': [1, 2], 'mask': [0, 2]}; 'mask' holds 2",
    "{'messages': [{'role': 'robot', 'content': 'x'}]}; robot",
  }, quoteCharacter = '`')
  void what_is_no_record_is_refused_with_its_reason(String json, String reason) {
    var refused = assertThrows(IllegalArgumentException.class, () -> read(json));
    assertTrue(
        refused.getMessage().replace('"', '\'').contains(reason), refused.getMessage());
  }

  static Iterable<JsonNode> handed() {
    return Golden.json("chat_template.json");
  }

  @ParameterizedTest
  @MethodSource("handed")
  void pieces_of_a_handed_conversation_make_its_text(JsonNode sample) {
    List<JsonNode> tools = new ArrayList<>();
    sample.path("tools").forEach(tools::add);
    List<ChatMessage> messages = ChatMessage.list(sample.get("messages"));
    List<ChatPiece> pieces = ChatTemplate.pieces(messages, tools, message -> false);
    assertEquals(
        ChatTemplate.render(messages, tools, false, true),
        String.join("", pieces.stream().map(ChatPiece::text).toList()));
    for (ChatPiece piece : pieces) {
      assertEquals(piece.speaker() != ChatPiece.NOBODY, piece.text().endsWith("<|im_end|>"));
    }
  }
}
