package rubricem.http.server.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseIncludable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rubricem.http.server.EdgeRig;
import rubricem.http.server.PlayedEpisode;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.scaffold.FormatLabel;

/** No field of a create request is ignored in silence: it is acted on, named or refused. */
class CreateFieldsTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String RESPONSES = "/v1/responses";

  private static EdgeRig rig;
  private static int questions;

  @BeforeAll
  static void listen() throws Exception {
    rig = new EdgeRig();
    rig.world.afterStart = id -> PlayedEpisode.play(rig.world, id);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static String path(String door) {
    return door.equals("chat") ? CHAT : RESPONSES;
  }

  /** An ordinary request of the door with these fields besides; each asks another question. */
  private static HttpResponse<String> asked(String door, String fields) throws Exception {
    ObjectNode body = EdgeRig.JSON.createObjectNode().put("model", "rubricem");
    String question = "question " + questions++;
    if (door.equals("chat")) {
      body.putArray("messages").addObject().put("role", "user").put("content", question);
    } else {
      body.put("input", question);
    }
    body.setAll((ObjectNode) EdgeRig.JSON.readTree("{" + fields + "}"));
    return rig.post(path(door), body.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|', quoteCharacter = '`',
      value = {
        "chat | \"response_format\":{\"type\":\"json_object\"} | unsupported_value |"
            + " response_format",
        "chat | \"response_format\":{\"type\":\"json_schema\",\"json_schema\":{}} |"
            + " unsupported_value | response_format",
        "chat | \"response_format\":7 | unsupported_value | response_format",
        "chat | \"tools\":[{\"type\":\"function\"}] | unsupported_parameter | tools",
        "chat | \"tools\":[{}],\"tool_choice\":\"auto\" | unsupported_parameter | tools",
        "chat | \"tools\":{} | invalid_field | tools",
        "chat | \"functions\":[{\"name\":\"f\"}] | unsupported_parameter | functions",
        "chat | \"tool_choice\":\"required\" | unsupported_value | tool_choice",
        "chat | \"tool_choice\":{\"type\":\"function\"} | unsupported_value | tool_choice",
        "chat | \"function_call\":{\"name\":\"f\"} | unsupported_value | function_call",
        "chat | \"n\":2 | unsupported_value | n",
        "chat | \"n\":0 | unsupported_value | n",
        "chat | \"logprobs\":true | unsupported_value | logprobs",
        "chat | \"top_logprobs\":3 | unsupported_value | top_logprobs",
        "chat | \"modalities\":[\"text\",\"audio\"] | unsupported_value | modalities",
        "chat | \"audio\":{\"voice\":\"x\"} | unsupported_parameter | audio",
        "chat | \"verbosity\":\"loud\" | unsupported_value | verbosity",
        "chat | \"metadata\":{\"format\":\"pdf\"} | unsupported_value | metadata.format",
        "chat | \"metadata\":{\"cancel_on_disconnect\":\"yes\"} | unsupported_value |"
            + " metadata.cancel_on_disconnect",
        "chat | \"max_tokens\":0 | out_of_bounds | max_tokens",
        "chat | \"max_completion_tokens\":\"9\" | invalid_field | max_completion_tokens",
        "responses | \"text\":{\"format\":{\"type\":\"json_schema\"}} | unsupported_value |"
            + " text.format",
        "responses | \"text\":{\"format\":{\"type\":\"json_object\"}} | unsupported_value |"
            + " text.format",
        "responses | \"text\":{\"verbosity\":\"loud\"} | unsupported_value | text.verbosity",
        "responses | \"tools\":[{\"type\":\"web_search\"},{\"type\":\"function\"}] |"
            + " unsupported_value | tools.1",
        "responses | \"tools\":[{\"type\":\"code_interpreter\"}] | unsupported_value | tools.0",
        "responses | \"tools\":[{\"type\":\"file_search\",\"vector_store_ids\":[\"vs_1\"]}] |"
            + " unsupported_value | tools.0.vector_store_ids",
        "responses | \"tools\":[{\"type\":\"web_search\",\"filters\":{\"allowed_domains\":"
            + "[\"a\"]}}] | unsupported_value | tools.0.filters",
        "responses | \"tool_choice\":{\"type\":\"function\",\"name\":\"f\"} | unsupported_value |"
            + " tool_choice",
        "responses | \"tool_choice\":{\"type\":\"allowed_tools\",\"tools\":[{\"type\":\"mcp\"}]} |"
            + " unsupported_value | tool_choice",
        "responses | \"include\":[\"message.output_text.logprobs\"] | unsupported_value |"
            + " include.0",
        "responses | \"include\":[\"reasoning.encrypted_content\",\"everything\"] |"
            + " unsupported_value | include.1",
        "responses | \"include\":[7] | invalid_field | include.0",
        "responses | \"include\":\"reasoning.encrypted_content\" | invalid_field | include",
        "responses | \"include\":{} | invalid_field | include",
        "responses | \"top_logprobs\":1 | unsupported_value | top_logprobs",
        "responses | \"conversation\":\"conv_1\" | unsupported_parameter | conversation",
        "responses | \"conversation\":{\"id\":\"conv_1\"} | unsupported_parameter | conversation",
        "responses | \"prompt\":{\"id\":\"pmpt_1\"} | unsupported_parameter | prompt",
        "responses | \"background\":true,\"store\":false | invalid_field | background",
        "responses | \"max_output_tokens\":-1 | out_of_bounds | max_output_tokens",
        "responses | \"previous_response_id\":\"resp_nothing\" | previous_response_not_found |"
            + " previous_response_id",
        "responses | \"previous_response_id\":\"resp_e00000000000000000000000zz\" |"
            + " previous_response_not_found | previous_response_id",
      })
  void what_would_make_another_answer_is_refused_and_says_what_to_do(
      String door, String fields, String code, String param) throws Exception {
    int before = rig.world.count();
    HttpResponse<String> answer = asked(door, fields);
    assertEquals(code.equals("out_of_bounds") ? 422 : 400, answer.statusCode(), answer.body());
    JsonNode error = EdgeRig.json(answer).get("error");
    assertEquals("invalid_request_error", error.get("type").asText(), answer.body());
    assertEquals(code, error.get("code").asText(), answer.body());
    assertEquals(param, error.get("param").asText(), answer.body());
    assertTrue(error.get("message").asText().endsWith("."), answer.body());
    assertEquals(before, rig.world.count());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|', quoteCharacter = '`',
      value = {
        // what libraries and programs on top of them send without being asked to
        "chat | \"temperature\":0.7,\"top_p\":1,\"user\":\"u\" | temperature, top_p, user",
        "chat | \"n\":1,\"stream\":false,\"logprobs\":false,\"top_logprobs\":0 |",
        "chat | \"tools\":[],\"functions\":[],\"tool_choice\":\"none\" |",
        "chat | \"tools\":[{\"type\":\"function\"}],\"tool_choice\":\"none\" |",
        "chat | \"tool_choice\":\"auto\",\"parallel_tool_calls\":true | parallel_tool_calls",
        "chat | \"response_format\":{\"type\":\"text\"},\"modalities\":[\"text\"] |",
        "chat | \"metadata\":{\"a\":\"b\"},\"store\":true,\"stream_options\":{} | store",
        "chat | \"max_tokens\":4096,\"verbosity\":\"medium\" |",
        "chat | \"audio\":null,\"n\":null,\"tools\":null,\"stop\":null,\"response_format\":null |",
        "chat | \"top_k\":40,\"bad name\":1 | top_k, and-1-more",
        "responses | \"text\":{\"format\":{\"type\":\"text\"},\"verbosity\":\"high\"} |",
        "responses | \"text\":{\"format\":null} |",
        "responses | \"tools\":[{\"type\":\"web_search_preview_2025_03_11\"},"
            + "{\"type\":\"file_search\",\"vector_store_ids\":[]}],\"tool_choice\":\"required\" |"
            + " tool_choice",
        "responses | \"tools\":[{\"type\":\"web_search\",\"filters\":null,\"search_context_size\":"
            + "\"low\"}],\"tool_choice\":{\"type\":\"web_search\"} |"
            + " tool_choice",
        "responses | \"tools\":[{\"type\":\"function\"}],\"tool_choice\":\"none\" |",
        "responses | \"include\":[\"reasoning.encrypted_content\"],\"store\":false | include",
        "responses | \"include\":[],\"tool_choice\":\"auto\" |",
        "responses | \"instructions\":\"Be brief.\",\"truncation\":\"auto\" |"
            + " instructions, truncation",
        "responses | \"reasoning\":{\"effort\":\"low\"},\"parallel_tool_calls\":true |"
            + " reasoning, parallel_tool_calls",
        "responses | \"conversation\":null,\"prompt\":null,\"max_output_tokens\":100000 |",
      })
  void what_clients_send_by_habit_is_taken_and_what_is_not_needed_is_named(
      String door, String fields, String unused) throws Exception {
    HttpResponse<String> answer = asked(door, fields);
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals(
        unused == null ? "" : unused, answer.headers().firstValue(FieldTable.UNUSED).orElse(""));
  }

  @Test
  void a_stream_names_it_too_and_earlier_turns_are_named() throws Exception {
    HttpResponse<String> chat =
        rig.post(
            CHAT,
            "{\"model\":\"rubricem\",\"stream\":true,\"seed\":1,\"messages\":[{\"role\":\"system\","
                + "\"content\":\"x\"},{\"role\":\"user\",\"content\":\"turns\"}]}");
    assertEquals(
        "messages.earlier, seed", chat.headers().firstValue(FieldTable.UNUSED).orElse(""));
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      many.append(many.isEmpty() ? "" : ",").append("\"x").append(i).append("\":1");
    }
    String named =
        asked("responses", many.toString()).headers().firstValue(FieldTable.UNUSED).orElse("");
    assertTrue(named.endsWith("x19, and-10-more"), named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|', quoteCharacter = '`',
      value = {
        "chat | | LONG_FORM",
        "chat | \"max_tokens\":511 | SHORT_FORM",
        "chat | \"max_completion_tokens\":16 | SHORT_FORM",
        "chat | \"max_tokens\":512 | LONG_FORM",
        "chat | \"max_tokens\":16,\"verbosity\":\"high\" | LONG_FORM",
        "chat | \"max_tokens\":16,\"metadata\":{\"format\":\"exact_answer\"} | EXACT_ANSWER",
        "chat | \"verbosity\":\"low\" | SHORT_FORM",
        "chat | \"verbosity\":\"low\",\"metadata\":{\"format\":\"long_form\"} | LONG_FORM",
        "responses | \"max_output_tokens\":511 | SHORT_FORM",
        "responses | \"max_output_tokens\":99999999999 | LONG_FORM",
        "responses | \"text\":{\"verbosity\":\"low\"} | SHORT_FORM",
      })
  void a_length_that_no_report_has_asks_for_a_paragraph(
      String door, String fields, FormatLabel format) throws Exception {
    HttpResponse<String> answer = asked(door, fields == null ? "" : fields);
    EpisodeId id = new EpisodeId(answer.headers().firstValue("X-Rubricem-Episode").orElseThrow());
    assertEquals(format, rig.world.stored(id).toCompletableFuture().join().get().format());
  }

  @Test
  void every_field_that_the_library_knows_is_in_the_table() {
    knows(CreateFields.CHAT, ChatCompletionCreateParams.Body.class, Set.of("stream"));
    knows(CreateFields.RESPONSE, ResponseCreateParams.Body.class, Set.of("stream"));
  }

  @Test
  void whatever_the_library_can_ask_to_have_besides_is_taken_or_refused_by_name() throws Exception {
    Set<String> known = new TreeSet<>(CreateFields.INCLUDABLE);
    known.add("message.output_text.logprobs");
    Set<String> theirs = new TreeSet<>();
    for (Field field : ResponseIncludable.class.getFields()) {
      if (field.getType() == ResponseIncludable.class) {
        theirs.add(((ResponseIncludable) field.get(null)).asString());
      }
    }
    assertEquals(theirs, known);
  }

  private static void knows(FieldTable table, Class<?> body, Set<String> besides) {
    Set<String> known = new TreeSet<>(besides);
    for (Method method : body.getMethods()) {
      JsonProperty property = method.getAnnotation(JsonProperty.class);
      if (property != null) {
        known.add(property.value());
      }
    }
    assertTrue(known.size() > 20, "" + known);
    Set<String> names = new TreeSet<>();
    table.rules().forEach(rule -> names.add(rule.name()));
    known.removeAll(names);
    assertEquals(Set.of(), known);
  }

  @Test
  void the_rooms_table_is_that_of_the_code() throws Exception {
    String readme = Files.readString(Path.of("http", "README.md"));
    Map<String, FieldTable> tables =
        Map.of("chat", CreateFields.CHAT, "responses", CreateFields.RESPONSE);
    tables.forEach(
        (door, table) -> {
          for (FieldRule.Use use : FieldRule.Use.values()) {
            Set<String> names = new TreeSet<>();
            table.rules().stream().filter(rule -> rule.use() == use)
                .forEach(rule -> names.add(rule.name()));
            String row =
                "| " + door + " | " + use.name().toLowerCase(Locale.ROOT) + " | `"
                    + String.join("` `", names) + "` |";
            assertTrue(names.isEmpty() || readme.contains(row), row);
          }
        });
  }

  @Test
  void only_what_would_stand_there_anyway_is_the_same_as_nothing() throws Exception {
    FieldTable table = new FieldTable("messages", Map.of("n", 1, "stream", false));
    ObjectMapper json = new ObjectMapper();
    String body = "{\"n\": 1, \"stream\": false, \"user\": \"null\", \"stop\": null, \"model\": \"m\"}";
    assertEquals(
        json.readTree("{\"user\": \"null\", \"model\": \"m\"}"),
        table.withoutDefaults(json.readTree(body)));
  }

  @Test
  void every_rule_has_its_reason() {
    for (FieldTable table : List.of(CreateFields.CHAT, CreateFields.RESPONSE)) {
      for (FieldRule rule : table.rules()) {
        assertFalse(rule.why().isBlank(), rule.name());
      }
    }
  }
}
