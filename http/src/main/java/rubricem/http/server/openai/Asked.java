package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.JsonFields;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * What somebody asks in the body of a chat completion or a response. The question is the last
 * message of the user; whatever else the interface knows is accepted and passed over, except what
 * would make the answer another one than was asked for.
 *
 * @param stream whether the answer shall come as it is made
 * @param usage whether a stream of chunks ends with the usage
 * @param background whether the answer is only that it has begun
 * @param cancelOnDisconnect whether the episode ends when a stream's reader has gone
 */
record Asked(
    EpisodeRequest request,
    boolean stream,
    boolean usage,
    boolean background,
    boolean cancelOnDisconnect) {
  /** The fields that are read; the description names them. */
  static final Set<String> CHAT_FIELDS =
      Set.of("model", "messages", "stream", "stream_options", "metadata", "verbosity", "n");

  static final Set<String> RESPONSE_FIELDS =
      Set.of(
          "model", "input", "stream", "background", "metadata", "text", "max_tool_calls",
          "previous_response_id", "store");

  /** Names in an episode's metadata that are ours. */
  static final String OURS = "rubricem.";

  static final String BACKGROUND = OURS + "background";
  static final String UNSTORED = OURS + "unstored";
  static final String PREVIOUS = OURS + "previous_response_id";

  private static final int METADATA_ENTRIES_MAX = 16;
  private static final int METADATA_NAME_MAX = 64;
  private static final int METADATA_TEXT_MAX = 512;

  static Asked inChat(JsonNode body, EdgeSettings.Offer offer, ModelNames models) {
    JsonFields fields = JsonFields.lenient(body, "");
    if (fields.whole("n", 1, Integer.MAX_VALUE).orElse(1L) > 1) {
      throw JsonFields.outOfBounds("/n", "must be 1: a question has one report").refusal();
    }
    String model =
        fields.text("model")
            .orElseThrow(() -> JsonFields.wrong("/model", "is missing").refusal());
    String question =
        QuestionText.last(
            fields.field("messages")
                .orElseThrow(() -> JsonFields.wrong("/messages", "is missing").refusal()),
            "/messages");
    Map<String, String> metadata = metadata(fields);
    return new Asked(
        request(question, fields.text("verbosity"), model, offer.limits(), metadata, offer, models),
        fields.flag("stream"),
        fields.lenient("stream_options").map(o -> o.flag("include_usage")).orElse(false),
        false, cancels(metadata));
  }

  static Asked inResponse(JsonNode body, EdgeSettings.Offer offer, ModelNames models) {
    JsonFields fields = JsonFields.lenient(body, "");
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
    EpisodeLimits base = offer.limits();
    EpisodeLimits limits =
        fields.whole("max_tool_calls", 1, offer.limitsMax().toolCalls())
            .map(
                n -> new EpisodeLimits(
                    n.intValue(), base.seconds(), base.tokens(), base.costUsd()))
            .orElse(base);
    return new Asked(
        request(
            question, fields.lenient("text").flatMap(t -> t.text("verbosity")),
            fields.text("model").orElse(ModelNames.DEFAULT), limits, Map.copyOf(kept), offer,
            models),
        fields.flag("stream"), false, background, cancels(metadata));
  }

  private static EpisodeRequest request(
      String question, Optional<String> verbosity, String model, EpisodeLimits limits,
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
        question, format(metadata, verbosity), policy, offer.sources().stream().sorted().toList(),
        offer.corpus(), limits, 0, metadata);
  }

  private static FormatLabel format(Map<String, String> metadata, Optional<String> verbosity) {
    return Optional.ofNullable(metadata.get("format"))
        .flatMap(FormatLabel::parse)
        .orElse(
            verbosity.filter("low"::equals).isPresent()
                ? FormatLabel.SHORT_FORM
                : FormatLabel.LONG_FORM);
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
    return "true".equals(metadata.get("cancel_on_disconnect"));
  }
}
