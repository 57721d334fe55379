package rubricem.gpu.supervised;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import rubricem.protocol.learning.SupervisedRow;

/** The layouts in which data sets come: read exactly, or refused with what to write instead. */
class RecordLayoutTest {
  private static final String CHAT =
      "'messages': [{'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': 'a'}]";

  private static Reading read(String json, OptionalInt end) {
    try {
      return new RecordReader(
              new RowSettings(2000, List.of()), 1 << 16, text -> text.chars().toArray(), end)
          .read("r", new ObjectMapper().readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SupervisedRow row(String json) {
    return assertInstanceOf(Reading.Row.class, read(json, OptionalInt.of('$'))).row();
  }

  private static String text(SupervisedRow row) {
    return new String(row.ids(), 0, row.length());
  }

  private static void assertSame(String expected, String given) {
    assertEquals(text(row(expected)), text(row(given)));
    assertArrayEquals(row(expected).trainMask(), row(given).trainMask(), given);
  }

  @Test
  void the_names_of_sharegpt_are_those_of_a_conversation() {
    assertSame(
        "{" + CHAT + "}",
        "{'conversations': [{'from': 'human', 'value': 'q'}, {'from': 'gpt', 'value': 'a'}]}");
    assertSame(
        "{'messages': [{'role': 'system', 'content': 's'}, " + CHAT.substring(13) + "}",
        "{'system': 's', 'conversations': [{'from': 'human', 'value': 'q'},"
            + " {'from': 'gpt', 'value': 'a'}]}");
    assertSame("{" + CHAT + "}", "{'system': '', " + CHAT + "}");
  }

  @Test
  void of_a_prompt_of_messages_the_completion_is_learned() {
    assertSame(
        "{'messages': [{'role': 'user', 'content': 'q'},"
            + " {'role': 'assistant', 'content': 'x', 'train': false},"
            + " {'role': 'user', 'content': 'r'}, {'role': 'assistant', 'content': 'a'}]}",
        "{'prompt': [{'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': 'x'},"
            + " {'role': 'user', 'content': 'r'}],"
            + " 'completion': [{'role': 'assistant', 'content': 'a'}]}");
  }

  @Test
  void of_a_prompt_of_text_the_completion_and_its_end_are_learned_as_they_are() {
    SupervisedRow row = row("{'prompt': 'once ', 'completion': 'upon'}");
    assertEquals("once upon$", text(row));
    for (int i = 0; i < row.length(); i++) {
      assertEquals(i >= 5, row.trainMask()[i], "token " + i);
    }
    assertEquals("once upon$", text(row("{'prompt': 'once ', 'completion': 'upon$'}")));
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> read("{'prompt': 'once ', 'completion': 'upon'}", OptionalInt.empty()))
            .getMessage();
    assertTrue(said.contains("eos_token_id"), said);
  }

  @Test
  void openais_weight_says_what_is_learned() {
    String rest = "{'role': 'user', 'content': 'r'}, {'role': 'assistant', 'content': 'b'}]}";
    String before = "{'messages': [{'role': 'user', 'content': 'q'}, {'role': 'assistant',";
    assertSame(
        before + " 'content': 'a', 'train': false}, " + rest,
        before + " 'content': 'a', 'weight': 0}, " + rest);
    assertSame(
        before + " 'content': 'a'}, " + rest, before + " 'content': 'a', 'weight': 1}, " + rest);
  }

  @Test
  void tools_may_be_a_text_that_is_a_list() {
    assertSame(
        "{'tools': [{'name': 'f'}], " + CHAT + "}",
        "{'tools': '[{\\'name\\': \\'f\\'}]', " + CHAT + "}");
    assertSame("{" + CHAT + "}", "{'tools': null, " + CHAT + "}");
  }

  static Stream<Arguments> refused() {
    String user = "{'messages': [{'role': 'user', 'content': 'q'}, ";
    return Stream.of(
        Arguments.of("{'instruction': 'i', 'input': '', 'output': 'o'}", "Alpaca"),
        Arguments.of("{'text': 'a b c'}", "\"prompt\": \"…\", \"completion\": \"…\""),
        Arguments.of("{'input_ids': [1, 2], 'labels': [-100, 2]}", "\"ids\": [5, 6, 7]"),
        Arguments.of("{'chosen': [], 'rejected': []}", "preference"),
        Arguments.of("[1, 2]", "it is an array"),
        Arguments.of("7", "it is no object"),
        Arguments.of("{}", "\"messages\": [{\"role\": \"user\""),
        Arguments.of("{'messages': []}", "\"messages\" is empty"),
        Arguments.of("{'prompt': [], 'completion': 'a'}", "\"prompt\" is empty"),
        Arguments.of("{'ids': [], 'mask': []}", "\"ids\" is empty"),
        Arguments.of("{'messages': 'hello'}", "\"messages\" is no list"),
        Arguments.of("{'messages': ['hello']}", "something else than messages"),
        Arguments.of("{'ids': [1], 'mask': [1], " + CHAT + "}", "both \"ids\" and \"messages\""),
        Arguments.of("{'ids': 'one'}", "\"ids\" is no list"),
        Arguments.of("{'prompt': 'p'}", "\"prompt\" and \"completion\" are two texts"),
        Arguments.of("{'prompt': 'p', 'completion': 3}", "are two texts, or two lists"),
        Arguments.of(
            "{'prompt': [{'role': 'user', 'content': 'q'}],"
                + " 'completion': [{'role': 'user', 'content': 'r'}]}",
            "\"completion\" holds a message of user"),
        Arguments.of(
            "{'conversations': [{'from': 'observation', 'value': 'q'}]}",
            "\"from\": \"observation\""),
        Arguments.of("{'conversations': [{'from': 'human', 'content': 'q'}]}", "the one pair"),
        Arguments.of("{'conversations': [{'from': 'human'}]}", "no \"content\" that is a text"),
        Arguments.of("{'system': 's', 'messages': [{'role': 'system', 'content': 't'}]}", "system"),
        Arguments.of(user + "{'role': 'assistant', 'content': 7}]}", "no \"content\""),
        Arguments.of(user + "{'role': 'assistant', 'text': 'a'}]}", "has \"text\""),
        Arguments.of(
            user + "{'role': 'assistant', 'content': 'a', 'thinking': 't'}]}", "\"thinking\""),
        Arguments.of(
            user + "{'role': 'assistant', 'content': 'a', 'weight': 0.5}]}", "\"weight\" is 0.5"),
        Arguments.of(
            user + "{'role': 'assistant', 'content': 'a', 'train': 'no'}]}", "\"train\""),
        Arguments.of(
            user + "{'role': 'assistant', 'content': 'a', 'tool_calls': 'f'}]}", "\"tool_calls\""),
        Arguments.of(
            user + "{'role': 'assistant', 'tool_calls': [{'arguments': {}}]}]}", "no name"),
        Arguments.of("{'verbatim': 'yes', " + CHAT + "}", "\"verbatim\""),
        Arguments.of("{'tools': 'search', " + CHAT + "}", "\"tools\" is no list"),
        Arguments.of(
            "{'chat_template_kwargs': {'enable_thinking': false}, " + CHAT + "}",
            "the template takes no options"));
  }

  /** Keys of a message, in the assistant's and in the user's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "assistant|'function_call': {'name': 'f'}|\"function_call\"",
        "assistant|'parts': ['a']|\"parts\"",
        "assistant|'reasoning_content': ['a']|\"reasoning_content\" of a message is no text",
        "assistant|'reasoning_content': {'a': 1}|\"reasoning_content\" of a message is no text",
        "user|'reasoning_content': 'a'|of user has \"reasoning_content\"",
        "tool|'tool_calls': [{'name': 'f'}]|of tool has \"tool_calls\"",
        "assistant|'loss': false|\"loss\"", "assistant|'loss_mask': 0|\"loss_mask\"",
        "assistant|'trainable': false|\"trainable\"", "assistant|'training': 0|\"training\"",
        "assistant|'mask': 0|\"mask\"", "user|'enable_thinking': false|\"enable_thinking\""
      })
  void a_key_of_a_message_that_nothing_reads_is_refused(String role, String key, String problem) {
    assertRefused(
        "{'messages': [{'role': 'user', 'content': 'q'}, {'role': '" + role
            + "', 'content': 'x', " + key + "}, {'role': 'assistant', 'content': 'a'}]}",
        problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "'system': 'S'|'system': ['S']|'ids': [1, 2], 'mask': [0, 1], 'system': 'S'|\"system\"",
        "'tools': [{'name': 'f'}]||'ids': [1, 2], 'mask': [0, 1], 'tools': [7]|\"tools\"",
        "'input': 'i'|'input': {'a': 1}||\"input\"", "'verbatim': true|||\"verbatim\"",
        "'documents': ['d']|'documents': ['d']||\"documents\"",
        "'functions': [{'name': 'f'}]|'functions': [{'name': 'f'}]||\"functions\"",
        "'weight': 0|'weight': 0.5|'ids': [1, 2], 'mask': [0, 1], 'weight': 0|\"weight\"",
        "'train': false|'train': false||\"train\"",
        "'loss_mask': [0]|'enable_thinking': false||\"",
        "'label': false|'label': false||\"label\" that is false",
        "|'completion': 'c'||\"completion\" beside \"messages\"",
        "|'mask': [0, 1]||\"mask\"",
        "||'ids': [1, 2], 'mask': ['0', '1']|\"mask\" holds \"0\"",
        "||'ids': [1, 2], 'mask': [0, 1.9]|\"mask\" holds 1.9"
      })
  void a_key_of_a_record_that_nothing_reads_is_refused(
      String besideTexts, String besideMessages, String tokens, String problem) {
    if (besideTexts != null) {
      assertRefused("{'prompt': 'a', 'completion': 'b', " + besideTexts + "}", problem);
    }
    if (besideMessages != null) {
      assertRefused("{" + CHAT + ", " + besideMessages + "}", problem);
    }
    if (tokens != null) {
      assertRefused("{" + tokens + "}", problem);
    }
  }

  @Test
  void a_key_that_says_nothing_and_a_remark_are_left_alone() {
    assertSame(
        "{" + CHAT + "}",
        "{'loss': null, 'functions': [], 'label': 'easy', 'source': 'web', 'input': '',"
            + " 'messages': [{'role': 'user', 'content': 'q', 'reasoning_content': null},"
            + " {'role': 'assistant', 'content': 'a', 'refusal': null, 'tool_calls': [],"
            + " 'function_call': {}, 'name': 'b'}]}");
    assertSame(
        "{'ids': [1, 2, 3], 'mask': [0, 1, 0]}", "{'ids': [1, 2, 3], 'mask': [false, true, 0]}");
  }

  private static void assertRefused(String json, String problem) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> read(json, OptionalInt.of('$')), json);
    assertTrue(e.getMessage().contains(problem), e.getMessage());
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_is_not_certain_is_refused_with_what_to_write(String json, String problem) {
    assertRefused(json, problem);
  }
}
