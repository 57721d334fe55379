package rubricem.http.server.openai;

import static rubricem.http.server.openai.FieldRule.bounded;
import static rubricem.http.server.openai.FieldRule.read;
import static rubricem.http.server.openai.FieldRule.refused;
import static rubricem.http.server.openai.FieldRule.unused;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import rubricem.http.server.JsonFields;
import rubricem.http.server.Problem;

/** The fields of {@code POST /v1/chat/completions} and {@code POST /v1/responses}, one by one. */
final class CreateFields {
  private static final String SAMPLING = "how tokens are drawn is set by whoever runs the server";
  private static final String ACCOUNT = "concerns the account, the cache or the price at OpenAI";
  private static final String EFFORT = "the research goes on until it has its evidence";
  private static final String LENGTH = "below 512 a paragraph is written, not a report";
  private static final String TEXT =
      "must be {\"type\":\"text\"}: a report is text. Leave it away; GET"
          + " /v1/research/{id}/report has the report as JSON";
  private static final String LOGPROBS = "a report has no log-probabilities. Leave it away";

  /** What a response of OpenAI's may be asked to have besides; ours has none of it. */
  static final List<String> INCLUDABLE =
      List.of(
          "code_interpreter_call.outputs", "computer_call_output.output.image_url",
          "file_search_call.results", "message.input_image.image_url",
          "reasoning.encrypted_content", "web_search_call.action.sources",
          "web_search_call.results");

  private static final List<String> OF_THE_ACCOUNT =
      List.of(
          "user", "safety_identifier", "service_tier", "moderation", "prompt_cache_key",
          "prompt_cache_options", "prompt_cache_retention");

  static final FieldTable CHAT =
      table(
          "messages", Map.of("stream", false, "n", 1, "logprobs", false),
          read("model", "the policy"),
          read("messages", "the last one of the user is the question"),
          read("stream", "chunks as it goes on"),
          read("stream_options", "include_usage; obfuscation is not needed here"),
          read("metadata", "kept; format and cancel_on_disconnect are acted on"),
          read("verbosity", "low asks for a paragraph"),
          read("max_completion_tokens", LENGTH),
          read("max_tokens", LENGTH),
          bounded("n", CreateFields::isOne, "must be 1: a question has one report"),
          bounded("response_format", CreateFields::isText, TEXT),
          bounded(
              "tools", "no functions are called; entries only with tool_choice none",
              (all, body) -> OpenAiTools.functions("tools", "tool_choice", all, body)),
          bounded(
              "functions", "as tools, of old",
              (all, body) -> OpenAiTools.functions("functions", "function_call", all, body)),
          bounded(
              "tool_choice", OpenAiTools::isNoneOrAuto,
              "must be none or auto: this model calls no functions"),
          bounded(
              "function_call", OpenAiTools::isNoneOrAuto,
              "must be none or auto: this model calls no functions"),
          bounded(
              "modalities", CreateFields::isTextOnly,
              "must be [\"text\"]: a report is not spoken"),
          refused("audio", "has no meaning for a report, which is not spoken. Leave it away"),
          bounded("logprobs", CreateFields::isFalse, "must be false: " + LOGPROBS),
          bounded("top_logprobs", CreateFields::isZero, "must be 0: " + LOGPROBS),
          unused("temperature", SAMPLING),
          unused("top_p", SAMPLING),
          unused("seed", SAMPLING),
          unused("frequency_penalty", SAMPLING),
          unused("presence_penalty", SAMPLING),
          unused("logit_bias", SAMPLING),
          unused("stop", "a report is not cut at a text"),
          unused("prediction", "a hint that makes an answer quicker and not another"),
          unused("reasoning_effort", EFFORT),
          unused("parallel_tool_calls", "no functions are called"),
          unused("web_search_options", "what is searched is set by whoever runs the server"),
          unused("store", "completions cannot be asked for afterwards, stored or not"));

  static final FieldTable RESPONSE =
      table(
          "input",
          Map.of(
              "stream", false, "background", false, "store", true, "model", ModelNames.DEFAULT),
          read("model", "the policy; rubricem where there is none"),
          read("input", "the question, or items whose last message of the user it is"),
          read("stream", "events as it goes on"),
          read("background", "answers at once"),
          read("store", "false: shown to this request only"),
          read("metadata", "kept; format and cancel_on_disconnect are acted on"),
          read(
              "text", "verbosity low asks for a paragraph; format must be text",
              (text, body) -> format(text)),
          read("max_tool_calls", "most searches"),
          read("max_output_tokens", LENGTH),
          read("previous_response_id", "must exist; the question is researched by itself"),
          bounded(
              "tools", "web_search and file_search without a narrowing; no others",
              OpenAiTools::tools),
          bounded(
                  "tool_choice", "none or auto; required or a search, which nothing enforces",
                  OpenAiTools::choice)
              .naming(choice -> !OpenAiTools.isNoneOrAuto(choice)),
          bounded(
                  "include", "what OpenAI knows, of which nothing is added; no logprobs",
                  (all, body) -> include(all))
              .naming(all -> !all.isEmpty()),
          bounded("top_logprobs", CreateFields::isZero, "must be 0: " + LOGPROBS),
          refused(
              "conversation",
              "is not kept here: every question is researched by itself. Leave it away and say"
                  + " in input what the question needs"),
          refused(
              "prompt",
              "cannot be looked up: no prompts are stored here. Send the text itself as input"),
          unused("instructions", "given back; the question is researched as it is asked"),
          unused("stream_options", "obfuscation is not needed here"),
          unused("truncation", "nothing of a question is left out"),
          unused("context_management", "every question is researched by itself"),
          unused("reasoning", EFFORT),
          unused("parallel_tool_calls", "searches follow from one another"),
          unused("temperature", SAMPLING),
          unused("top_p", SAMPLING));

  private CreateFields() {}

  /** With the fields of the account, which all requests have. */
  private static FieldTable table(
      String turns, Map<String, Object> assumed, FieldRule... own) {
    Stream<FieldRule> account = OF_THE_ACCOUNT.stream().map(name -> unused(name, ACCOUNT));
    return new FieldTable(
        turns, assumed, Stream.concat(Stream.of(own), account).toArray(FieldRule[]::new));
  }

  private static Optional<Problem> include(JsonNode all) {
    if (!all.isArray()) {
      return Optional.of(JsonFields.wrong("/include", "must be a list of strings"));
    }
    for (int i = 0; i < all.size(); i++) {
      String at = "/include/" + i;
      JsonNode one = all.get(i);
      if (!one.isTextual()) {
        return Optional.of(JsonFields.wrong(at, "must be a string"));
      }
      if (one.textValue().equals("message.output_text.logprobs")) {
        return Optional.of(
            FieldRule.unsupported(
                Problem.Kind.UNSUPPORTED_VALUE, at,
                "must not be message.output_text.logprobs: " + LOGPROBS));
      }
      if (!INCLUDABLE.contains(one.textValue())) {
        return Optional.of(
            FieldRule.unsupported(
                Problem.Kind.UNSUPPORTED_VALUE, at,
                "must be one of " + String.join(", ", INCLUDABLE)
                    + ", of which nothing is added here. Leave it away"));
      }
    }
    return Optional.empty();
  }

  private static Optional<Problem> format(JsonNode text) {
    JsonNode format = text.path("format");
    return format.isMissingNode() || format.isNull() || isText(format)
        ? Optional.empty()
        : Optional.of(
            FieldRule.unsupported(Problem.Kind.UNSUPPORTED_VALUE, "/text/format", TEXT));
  }

  private static boolean isText(JsonNode format) {
    return format.path("type").asText("").equals("text");
  }

  private static boolean isOne(JsonNode number) {
    return number.isIntegralNumber() && number.asText().equals("1");
  }

  private static boolean isZero(JsonNode number) {
    return number.isIntegralNumber() && number.asText().equals("0");
  }

  private static boolean isFalse(JsonNode flag) {
    return flag.isBoolean() && !flag.booleanValue();
  }

  private static boolean isTextOnly(JsonNode all) {
    for (JsonNode one : all) {
      if (!one.asText("").equals("text")) {
        return false;
      }
    }
    return all.isArray();
  }
}
