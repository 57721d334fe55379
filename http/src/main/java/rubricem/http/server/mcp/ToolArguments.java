package rubricem.http.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.JsonFields;
import rubricem.http.server.research.ResearchBody;
import rubricem.protocol.episode.EpisodeRequest;

/** The arguments of the tools: their schemas, and how they are read. */
final class ToolArguments {
  private static final int KEY_MAX = 255;

  private ToolArguments() {}

  /** @param key empty where the caller gave none */
  record Start(EpisodeRequest request, String asked, String key) {}

  /** Read as the native interface reads its body, so that the same bounds hold. */
  static Start start(JsonNode arguments, EdgeSettings.Offer offer) {
    JsonFields fields = JsonFields.arguments(arguments, startFields(offer).keySet());
    String key = fields.text("request_key").orElse("").strip();
    if (key.length() > KEY_MAX) {
      throw JsonFields.outOfBounds("/request_key", "may have " + KEY_MAX + " characters").refusal();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    fields.text("question").ifPresent(text -> body.put("question", text));
    fields.text("format").ifPresent(text -> body.put("format", text));
    fields.text("policy").ifPresent(text -> body.put("policy", text));
    ObjectNode limits = body.putObject("limits");
    fields.whole("max_tool_calls", 1, offer.limitsMax().toolCalls())
        .ifPresent(n -> limits.put("tool_calls", n));
    fields.whole("max_seconds", 1, offer.limitsMax().seconds())
        .ifPresent(n -> limits.put("seconds", n));
    EpisodeRequest request = ResearchBody.read(body, offer);
    ObjectNode bare = ResearchBody.withoutDefaults(body, offer);
    // it always stood there, and the names of calls that are stored are made of it
    bare.withObject("/limits");
    return new Start(request, ResearchBody.fixedForm(bare), key);
  }

  static Map<String, Object> startSchema(EdgeSettings.Offer offer) {
    return object(startFields(offer), List.of("question"));
  }

  /** Nothing is read that the schema does not offer. */
  private static Map<String, Object> startFields(EdgeSettings.Offer offer) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(
        "question",
        text("What to research, in any language.", Map.of(
            "minLength", 1, "maxLength", offer.questionCharsMax())));
    fields.put(
        "format",
        text("How to answer: long_form (a report, the default), short_form (a paragraph) or"
            + " exact_answer.",
            Map.of("enum", List.of("long_form", "short_form", "exact_answer"))));
    if (offer.policies().size() > 1) {
      fields.put(
          "policy",
          text("Who researches; the first is the default.", Map.of("enum", offer.policies())));
    }
    fields.put(
        "max_tool_calls",
        whole("Most searches.", 1, offer.limitsMax().toolCalls()));
    fields.put("max_seconds", whole("Longest time.", 1, offer.limitsMax().seconds()));
    fields.put(
        "request_key",
        text("The same key with the same arguments finds the episode that the first call began; a"
            + " new key begins anew.", Map.of("maxLength", KEY_MAX)));
    return fields;
  }

  static Map<String, Object> idSchema() {
    return object(Map.of("id", id()), List.of("id"));
  }

  static Map<String, Object> getSchema(long waitSeconds) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", id());
    fields.put(
        "wait_seconds",
        whole("How long to wait for the end; " + waitSeconds + " by default.", 0, waitSeconds));
    fields.put(
        "offset",
        whole("Where in a long report to go on: next_offset of the call before.", 0,
            Integer.MAX_VALUE));
    return object(fields, List.of("id"));
  }

  static Map<String, Object> searchSchema(int passagesMax, int queryCharsMax) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(
        "query",
        text("What to find, in words of any language.", Map.of(
            "minLength", 1, "maxLength", queryCharsMax)));
    fields.put("limit", whole("Most passages.", 1, passagesMax));
    fields.put(
        "document", text("Only in this document, by its name in earlier results.", Map.of()));
    return object(fields, List.of("query"));
  }

  private static Map<String, Object> id() {
    return text("The id that start_research gave.", Map.of("pattern", "^e[0-9a-z]{26}$"));
  }

  private static Map<String, Object> text(String description, Map<String, Object> more) {
    Map<String, Object> field = new LinkedHashMap<>();
    field.put("type", "string");
    field.put("description", description);
    field.putAll(new java.util.TreeMap<>(more));
    return field;
  }

  private static Map<String, Object> whole(String description, long min, long max) {
    Map<String, Object> field = new LinkedHashMap<>();
    field.put("type", "integer");
    field.put("description", description);
    field.put("minimum", min);
    field.put("maximum", max);
    return field;
  }

  private static Map<String, Object> object(Map<String, Object> fields, List<String> required) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", fields);
    schema.put("required", required);
    schema.put("additionalProperties", false);
    return schema;
  }
}
