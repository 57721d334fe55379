package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rubricem.http.server.openai.OpenAiFields;
import rubricem.http.server.research.ResearchBody;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.scaffold.FormatLabel;

/** The description at /openapi.json against the table of routes and the records, both ways. */
class OpenApiTest {
  private static EdgeRig rig;
  private static JsonNode api;

  @BeforeAll
  static void read() throws Exception {
    rig = new EdgeRig();
    api = EdgeRig.json(rig.get("/openapi.json"));
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void describes_exactly_the_routes_with_their_parameters_and_statuses() {
    Set<String> coded =
        rig.server.endpoints().stream().map(OpenApiTest::coded)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> described = new TreeSet<>();
    api.get("paths").properties().forEach(
        path ->
            path.getValue().properties().forEach(
                method ->
                    described.add(
                        described(path.getKey(), method.getKey(), method.getValue()))));
    assertEquals(lines(coded), lines(described));
  }

  private static String coded(Endpoint endpoint) {
    Set<String> parts = new TreeSet<>();
    for (String part : endpoint.template().split("/")) {
      if (part.startsWith("{")) {
        parts.add(part.substring(1, part.length() - 1));
      }
    }
    return row(
        endpoint.method().value(), endpoint.template(), parts, endpoint.queries(),
        endpoint.headers(),
        endpoint.statuses().stream().map(String::valueOf).collect(Collectors.toSet()));
  }

  private static String described(String path, String method, JsonNode operation) {
    Set<String> statuses = new TreeSet<>();
    operation.get("responses").fieldNames().forEachRemaining(statuses::add);
    assertTrue(statuses.remove("default"), path + " describes no other problem");
    return row(
        method.toUpperCase(Locale.ROOT), path, parameters(operation, "path"),
        parameters(operation, "query"), parameters(operation, "header"), statuses);
  }

  private static Set<String> parameters(JsonNode operation, String in) {
    Set<String> names = new TreeSet<>();
    for (JsonNode parameter : operation.path("parameters")) {
      if (parameter.get("in").asText().equals(in)) {
        names.add(parameter.get("name").asText());
      }
    }
    return names;
  }

  private static String row(
      String method, String path, Set<String> parts, Set<String> queries, Set<String> headers,
      Set<String> statuses) {
    return method + " " + path + " " + new TreeSet<>(parts) + new TreeSet<>(queries)
        + new TreeSet<>(headers) + new TreeSet<>(statuses);
  }

  private static String lines(Set<String> rows) {
    return String.join("\n", rows);
  }

  @Test
  void describes_exactly_the_fields_of_a_request() {
    assertEquals(ResearchBody.FIELDS, fields(schema("ResearchRequest")));
    assertEquals(ResearchBody.LIMITS, fields(schema("RequestLimits")));
    assertEquals(
        Stream.of(FormatLabel.values()).map(FormatLabel::label).toList(),
        texts(schema("ResearchRequest").at("/properties/format/enum")));
  }

  @Test
  void describes_the_fields_that_the_doors_read_and_write() throws Exception {
    assertEquals(OpenAiFields.chat(), fields(schema("ChatRequest")));
    assertEquals(OpenAiFields.response(), fields(schema("ResponseRequest")));
    String chat =
        "{\"model\":\"rubricem\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";
    rig.world.afterStart = rig.world::complete;
    answered("ChatCompletion", rig.post("/v1/chat/completions", chat));
    var created = rig.post("/v1/responses", "{\"input\":\"a\"}");
    answered("Response", created);
    String one = "/v1/responses/" + EdgeRig.json(created).get("id").asText();
    answered("Response", rig.get(one));
    answered("InputItems", rig.get(one + "/input_items"));
    answered("ModelList", rig.get("/v1/models"));
    answered("Model", rig.get("/v1/models/rubricem"));
    answered("OpenAiError", rig.get("/v1/models/no"));
  }

  private static void answered(String schema, java.net.http.HttpResponse<String> answer)
      throws Exception {
    assertEquals(fields(schema(schema)), names(EdgeRig.json(answer)), schema);
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void describes_exactly_the_fields_of_every_answer() throws Exception {
    List<String> differences = new ArrayList<>();
    compare("Episode", EpisodeView.class, differences);
    String list = "rubricem.http.server.research.EpisodeList$";
    compare("EpisodePage", Class.forName(list + "Page"), differences);
    String run = "rubricem.http.server.run.RunAnswer$";
    compare("RunPage", Class.forName(run + "Page"), differences);
    compare("Run", Class.forName(run + "One"), differences);
    compare("BankEntries", Class.forName(run + "Bank"), differences);
    compare(
        "StoredPassage",
        Class.forName("rubricem.http.server.research.ResearchDoor$StoredPassage"), differences);
    assertEquals(List.of(), differences);
    assertEquals(
        Stream.of(EpisodeStatus.values()).map(EpisodeStatus::label).toList(),
        texts(schema("Episode").at("/properties/status/enum")));
    assertEquals(
        Set.of("type", "title", "status", "detail"), fields(schema("Problem")));
  }

  /** Goes down into every record that the schema refers to. */
  private static void compare(String name, Class<?> type, List<String> differences) {
    JsonNode schema = schema(name);
    Set<String> coded = new TreeSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (isIgnored(type, component)) {
        continue;
      }
      String field = snake(component.getName());
      coded.add(field);
      Class<?> inner = inner(component.getGenericType());
      Optional<String> ref = ref(schema.path("properties").path(field));
      if (inner.isRecord() && !isName(inner)) {
        if (ref.isEmpty()) {
          differences.add(name + "." + field + " is described by no schema");
        } else {
          compare(ref.get(), inner, differences);
        }
      }
    }
    Set<String> described = fields(schema);
    if (!coded.equals(described)) {
      differences.add(name + ": " + coded + " is described as " + described);
    }
  }

  /** What is written as a text. */
  private static boolean isName(Class<?> record) {
    return record.getSimpleName().endsWith("Id") || record.getSimpleName().endsWith("Name");
  }

  private static boolean isIgnored(Class<?> type, RecordComponent component) {
    try {
      return type.getDeclaredField(component.getName()).isAnnotationPresent(JsonIgnore.class);
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> inner(Type type) {
    if (type instanceof ParameterizedType parameterized) {
      return inner(parameterized.getActualTypeArguments()[
          parameterized.getActualTypeArguments().length - 1]);
    }
    return (Class<?>) type;
  }

  private static Optional<String> ref(JsonNode property) {
    for (JsonNode candidate :
        List.of(property, property.path("items"), property.path("oneOf").path(0))) {
      if (candidate.has("$ref")) {
        String ref = candidate.get("$ref").asText();
        return Optional.of(ref.substring(ref.lastIndexOf('/') + 1));
      }
    }
    return Optional.empty();
  }

  @Test
  void describes_exactly_the_kinds_of_events_and_their_fields() {
    JsonNode mapping = schema("Event").at("/discriminator/mapping");
    Set<String> coded = new TreeSet<>();
    for (Class<?> type : EpisodeEvent.class.getPermittedSubclasses()) {
      String kind = EpisodeEvent.Kinds.of(type);
      coded.add(kind);
      String ref = mapping.path(kind).asText();
      Set<String> fields = new TreeSet<>(Set.of("sequence", "kind"));
      Stream.of(type.getRecordComponents()).map(c -> snake(c.getName())).forEach(fields::add);
      assertEquals(fields, fields(schema(ref.substring(ref.lastIndexOf('/') + 1))), kind);
    }
    Set<String> described = new TreeSet<>();
    mapping.fieldNames().forEachRemaining(described::add);
    assertEquals(coded, described);
    assertEquals(coded.size(), schema("Event").get("oneOf").size());
  }

  @Test
  void refers_to_nothing_that_is_not_there() {
    for (JsonNode ref : api.findValues("$ref")) {
      assertTrue(
          api.at(ref.asText().substring(1)).isObject(), ref.asText() + " leads nowhere");
    }
  }

  private static JsonNode schema(String name) {
    JsonNode schema = api.at("/components/schemas/" + name);
    assertTrue(schema.isObject(), "there is no schema " + name);
    return schema;
  }

  private static Set<String> fields(JsonNode schema) {
    Set<String> names = new TreeSet<>();
    schema.get("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static String snake(String name) {
    return ((PropertyNamingStrategies.SnakeCaseStrategy) PropertyNamingStrategies.SNAKE_CASE)
        .translate(name);
  }
}
