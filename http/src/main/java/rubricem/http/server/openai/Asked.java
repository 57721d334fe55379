package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.JsonFields;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * What somebody asks in the body of a chat completion or a response. The question is the last
 * message of the user; what becomes of every other field is in {@link CreateFields}.
 *
 * @param stream whether the answer shall come as it is made
 * @param usage whether a stream of chunks ends with the usage
 * @param background whether the answer is only that it has begun
 * @param cancelOnDisconnect whether the episode ends when a stream's reader has gone
 * @param unused the header that says which fields were not needed
 */
record Asked(
    EpisodeRequest request,
    boolean stream,
    boolean usage,
    boolean background,
    boolean cancelOnDisconnect,
    Map<String, String> unused) {
  /** Names in an episode's metadata that are ours. */
  static final String OURS = "rubricem.";

  private static final String CANCEL = "cancel_on_disconnect";

  static final String BACKGROUND = OURS + "background";
  static final String UNSTORED = OURS + "unstored";
  static final String PREVIOUS = OURS + "previous_response_id";

  /** Not acted on, and given back as what was sent, as OpenAI does. */
  static final String INSTRUCTIONS = OURS + "instructions";

  private static final int METADATA_ENTRIES_MAX = 16;
  private static final int METADATA_NAME_MAX = 64;
  private static final int METADATA_TEXT_MAX = 512;

  /** Fewer tokens than a report has; a paragraph has about a hundred. */
  private static final int REPORT_TOKENS = 512;

  static Asked inChat(JsonNode body, EdgeSettings.Offer offer, ModelNames models) {
    JsonFields fields = JsonFields.lenient(body, "");
    CreateFields.CHAT.check(body);
    String model =
        fields.text("model")
            .orElseThrow(() -> JsonFields.wrong("/model", "is missing").refusal());
    String question =
        QuestionText.last(
            fields.field("messages")
                .orElseThrow(() -> JsonFields.wrong("/messages", "is missing").refusal()),
            "/messages");
    Map<String, String> metadata = metadata(fields);
    FormatLabel format =
        format(
            metadata, fields.text("verbosity"), "/verbosity",
            tokens(fields, "max_completion_tokens") || tokens(fields, "max_tokens"));
    return new Asked(
        request(question, format, model, offer.limits(), metadata, offer, models),
        fields.flag("stream"),
        fields.lenient("stream_options").map(o -> o.flag("include_usage")).orElse(false),
        false, cancels(metadata), CreateFields.CHAT.unused(body));
  }

  static Asked inResponse(JsonNode body, EdgeSettings.Offer offer, ModelNames models) {
    JsonFields fields = JsonFields.lenient(body, "");
    CreateFields.RESPONSE.check(body);
    JsonNode input =
        fields.field("input")
            .orElseThrow(() -> JsonFields.wrong("/input", "is missing").refusal());
    String question =
        input.isTextual() ? input.textValue() : QuestionText.last(input, "/input");
    boolean background = fields.flag("background");
    boolean stored = fields.field("store").isEmpty() || fields.flag("store");
    if (background && !stored) {
      throw JsonFields.wrong(
              "/background", "needs store true: nobody could ask what came of the response")
          .refusal();
    }
    Map<String, String> metadata = metadata(fields);
    Map<String, String> kept = new LinkedHashMap<>(metadata);
    if (!stored) {
      kept.put(UNSTORED, "true");
    }
    if (background) {
      kept.put(BACKGROUND, "true");
    }
    fields.text("previous_response_id").ifPresent(id -> kept.put(PREVIOUS, id));
    instructions(body, offer.questionCharsMax())
        .ifPresent(text -> kept.put(INSTRUCTIONS, text));
    return new Asked(
        request(
            question,
            format(
                metadata, fields.lenient("text").flatMap(t -> t.text("verbosity")),
                "/text/verbosity", tokens(fields, "max_output_tokens")),
            fields.text("model").orElse(ModelNames.DEFAULT), limits(fields, offer),
            Map.copyOf(kept), offer, models),
        fields.flag("stream"), false, background, cancels(metadata),
        CreateFields.RESPONSE.unused(body));
  }

  /** They stay with the episode as long as a question does, and have the same bound. */
  private static Optional<String> instructions(JsonNode body, int charsMax) {
    return Optional.ofNullable(body.path("instructions").textValue())
        .filter(text -> text.codePointCount(0, text.length()) <= charsMax);
  }

  private static EpisodeLimits limits(JsonFields fields, EdgeSettings.Offer offer) {
    EpisodeLimits base = offer.limits();
    return fields.whole("max_tool_calls", 1, offer.limitsMax().toolCalls())
        .map(n -> new EpisodeLimits(n.intValue(), base.seconds(), base.tokens(), base.costUsd()))
        .orElse(base);
  }

  private static EpisodeRequest request(
      String question, FormatLabel format, String model, EpisodeLimits limits,
      Map<String, String> metadata, EdgeSettings.Offer offer, ModelNames models) {
    int length = question.codePointCount(0, question.length());
    if (question.isBlank() || length > offer.questionCharsMax()) {
      throw Problem.of(
              Problem.Kind.OUT_OF_BOUNDS,
              "The last message of the user must have 1 to " + offer.questionCharsMax()
                  + " characters; put long material into the documents.")
          .refusal();
    }
    String policy =
        models.policy(model)
            .orElseThrow(
                () ->
                    Problem.of(
                            Problem.Kind.UNKNOWN_MODEL,
                            "Ask for one of " + String.join(", ", models.all()) + ".")
                        .refusal());
    return new EpisodeRequest(
        question, format, policy, offer.sources().stream().sorted().toList(),
        offer.corpus(), limits, 0, metadata);
  }

  /** Whether an answer may have too few tokens for a report. */
  private static boolean tokens(JsonFields fields, String name) {
    return fields.whole(name, 1, Long.MAX_VALUE).filter(n -> n < REPORT_TOKENS).isPresent();
  }

  /** What was chosen by its name goes before a wish for more or fewer words. */
  private static FormatLabel format(
      Map<String, String> metadata, Optional<String> verbosity, String pointer, boolean small) {
    verbosity.filter(v -> !v.matches("low|medium|high")).ifPresent(v -> {
      throw FieldRule.unsupported(
              Problem.Kind.UNSUPPORTED_VALUE, pointer, "must be low, medium or high")
          .refusal();
    });
    String named = metadata.get("format");
    if (named != null) {
      return FormatLabel.parse(named)
          .orElseThrow(
              () ->
                  FieldRule.unsupported(
                          Problem.Kind.UNSUPPORTED_VALUE, "/metadata/format",
                          "must be long_form, short_form or exact_answer: it chooses the form of"
                              + " the report. Give a value of your own another name")
                      .refusal());
    }
    boolean brief = verbosity.map("low"::equals).orElse(small);
    return brief ? FormatLabel.SHORT_FORM : FormatLabel.LONG_FORM;
  }

  private static Map<String, String> metadata(JsonFields fields) {
    Map<String, String> metadata =
        fields.strings(
            "metadata", METADATA_ENTRIES_MAX, METADATA_NAME_MAX, METADATA_TEXT_MAX);
    if (metadata.keySet().stream().anyMatch(name -> name.startsWith(OURS))) {
      throw JsonFields.outOfBounds("/metadata", "may have no name that begins with " + OURS)
          .refusal();
    }
    return metadata;
  }

  private static boolean cancels(Map<String, String> metadata) {
    String said = metadata.getOrDefault(CANCEL, "false");
    if (!said.equals("true") && !said.equals("false")) {
      throw FieldRule.unsupported(
              Problem.Kind.UNSUPPORTED_VALUE, "/metadata/" + CANCEL,
              "must be \"true\" or \"false\": it says whether the episode ends with its reader")
          .refusal();
    }
    return said.equals("true");
  }
}
