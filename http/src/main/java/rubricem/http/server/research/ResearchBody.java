package rubricem.http.server.research;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import rubricem.http.server.EdgeSettings;
import rubricem.http.server.JsonFields;
import rubricem.http.server.Problem;
import rubricem.protocol.episode.EpisodeLimits;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.scaffold.FormatLabel;

/** The body of {@code POST /v1/research}, read into what an episode is started with. */
public final class ResearchBody {
  /** The fields a body may have; what the description is compared with. */
  public static final Set<String> FIELDS =
      Set.of("question", "format", "policy", "sources", "guidance", "limits", "metadata");

  public static final Set<String> LIMITS = Set.of("tool_calls", "seconds", "tokens", "cost_usd");

  private static final String GUIDANCE_ASSUMED = "auto";
  private static final List<String> GUIDANCE =
      List.of("none", GUIDANCE_ASSUMED, "within", "cross");

  /** As many as any tool of ours could offer. */
  private static final int SOURCES_MAX = 32;

  /** The bounds that OpenAI's clients know. */
  private static final int METADATA_ENTRIES_MAX = 16;

  private static final int METADATA_NAME_MAX = 64;
  private static final int METADATA_TEXT_MAX = 512;

  private ResearchBody() {}

  public static EpisodeRequest read(JsonNode body, EdgeSettings.Offer offer) {
    JsonFields fields = JsonFields.of(body, "", FIELDS);
    String question =
        fields.text("question")
            .orElseThrow(() -> JsonFields.wrong("/question", "is missing").refusal());
    int length = question.codePointCount(0, question.length());
    if (question.isBlank() || length > offer.questionCharsMax()) {
      throw JsonFields.outOfBounds(
              "/question", "must have 1 to " + offer.questionCharsMax()
                  + " characters; put long material into the documents")
          .refusal();
    }
    checkGuidance(fields.text("guidance").orElse(GUIDANCE_ASSUMED));
    return new EpisodeRequest(
        question, format(fields), policy(fields.text("policy"), offer), sources(fields, offer),
        offer.corpus(), limits(fields, offer), 0,
        fields.strings(
            "metadata", METADATA_ENTRIES_MAX, METADATA_NAME_MAX, METADATA_TEXT_MAX));
  }

  private static FormatLabel format(JsonFields fields) {
    return fields.text("format")
        .map(
            label ->
                FormatLabel.parse(label)
                    .orElseThrow(
                        () ->
                            JsonFields.outOfBounds(
                                    "/format", "must be exact_answer, short_form or long_form")
                                .refusal()))
        .orElse(FormatLabel.LONG_FORM);
  }

  /** Only what was offered: a specification may name an address or a file. */
  public static String policy(Optional<String> asked, EdgeSettings.Offer offer) {
    String policy = asked.orElse(offer.policies().getFirst());
    if (!offer.policies().contains(policy)) {
      throw Problem.of(
              Problem.Kind.NOT_OFFERED,
              "/policy must be one that the server was started with; it has "
                  + offer.policies().size() + ". Leave it away for the first of them.")
          .refusal();
    }
    return policy;
  }

  private static List<String> sources(JsonFields fields, EdgeSettings.Offer offer) {
    List<String> sources =
        fields.texts("sources", SOURCES_MAX).orElse(List.copyOf(offer.sources()));
    if (sources.isEmpty()) {
      throw JsonFields.outOfBounds(
              "/sources", "needs at least one source; leave it out for all that are connected")
          .refusal();
    }
    for (String source : sources) {
      if (!source.matches("corpus|web|scholar|mcp:[A-Za-z0-9_.-]{1,64}")) {
        throw JsonFields.outOfBounds("/sources", "may hold corpus, web, scholar and mcp:NAME")
            .refusal();
      }
      if (!offer.sources().contains(source)) {
        throw Problem.of(
                Problem.Kind.NOT_OFFERED,
                "/sources: " + source + " is not connected to this server, which has "
                    + String.join(", ", offer.sources()) + ".")
            .refusal();
      }
    }
    return sources.stream().distinct().toList();
  }

  private static void checkGuidance(String guidance) {
    if (!GUIDANCE.contains(guidance)) {
      throw JsonFields.outOfBounds("/guidance", "must be none, within, cross or auto").refusal();
    }
    if (guidance.equals("within") || guidance.equals("cross")) {
      throw Problem.of(
              Problem.Kind.NOT_OFFERED,
              "/guidance: no rubric bank is connected to this server. Use none or auto.")
          .refusal();
    }
  }

  private static EpisodeLimits limits(JsonFields fields, EdgeSettings.Offer offer) {
    EpisodeLimits base = offer.limits();
    EpisodeLimits max = offer.limitsMax();
    return fields.object("limits", LIMITS)
        .map(
            given ->
                new EpisodeLimits(
                    given.whole("tool_calls", 1, max.toolCalls()).orElse((long) base.toolCalls())
                        .intValue(),
                    given.whole("seconds", 1, max.seconds()).orElse(base.seconds()),
                    given.whole("tokens", 1, max.tokens()).orElse(base.tokens()),
                    given.number("cost_usd", 0, max.costUsd()).orElse(base.costUsd())))
        .orElse(base);
  }

  /**
   * The body without what is assumed where it is left out, so that a request with its defaults
   * written out is the same request.
   *
   * @param body that can be read
   */
  public static ObjectNode withoutDefaults(JsonNode body, EdgeSettings.Offer offer) {
    ObjectNode bare = withoutNulls(body);
    drop(bare, "format", n -> n.asText().equals(FormatLabel.LONG_FORM.label()));
    drop(bare, "guidance", n -> n.asText().equals(GUIDANCE_ASSUMED));
    drop(bare, "policy", n -> n.asText().equals(offer.policies().getFirst()));
    drop(bare, "metadata", JsonNode::isEmpty);
    drop(bare, "sources", n -> {
      Set<String> named = new HashSet<>();
      n.forEach(source -> named.add(source.asText()));
      return named.equals(offer.sources());
    });
    if (bare.has("limits")) {
      EpisodeLimits base = offer.limits();
      ObjectNode limits = withoutNulls(bare.get("limits"));
      drop(limits, "tool_calls", n -> n.longValue() == base.toolCalls());
      drop(limits, "seconds", n -> n.longValue() == base.seconds());
      drop(limits, "tokens", n -> n.longValue() == base.tokens());
      drop(limits, "cost_usd", n -> n.doubleValue() == base.costUsd());
      bare.set("limits", limits);
      drop(bare, "limits", JsonNode::isEmpty);
    }
    return bare;
  }

  private static ObjectNode withoutNulls(JsonNode object) {
    ObjectNode there = JsonNodeFactory.instance.objectNode();
    object.properties().stream().filter(field -> !field.getValue().isNull())
        .forEach(field -> there.set(field.getKey(), field.getValue()));
    return there;
  }

  private static void drop(ObjectNode body, String name, Predicate<JsonNode> assumed) {
    if (body.has(name) && assumed.test(body.get(name))) {
      body.remove(name);
    }
  }

  /** The body in one fixed form, whatever the order and the spacing of its fields. */
  public static String fixedForm(JsonNode node) {
    if (node.isObject()) {
      Map<String, String> fields = new TreeMap<>();
      node.properties().forEach(f -> fields.put(f.getKey(), fixedForm(f.getValue())));
      StringBuilder out = new StringBuilder("{");
      fields.forEach(
          (name, value) -> out.append(name.length()).append(':').append(name).append(value));
      return out.append('}').toString();
    }
    if (node.isArray()) {
      StringBuilder out = new StringBuilder("[");
      node.forEach(entry -> out.append(fixedForm(entry)).append(','));
      return out.append(']').toString();
    }
    return node.toString();
  }
}
