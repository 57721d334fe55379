package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import rubricem.http.server.Problem;

/**
 * Every field that a kind of create request may have, and what becomes of it: so that nothing is
 * ignored in silence. A name that is in no table is passed over, because libraries are newer than
 * servers, and told like those that the table passes over.
 */
final class FieldTable {
  /** The header that names what a request held and the answer did not need. */
  static final String UNUSED = "X-Rubricem-Unused";

  /** Names beyond this are counted: a header has a bound. */
  private static final int NAMED_MAX = 20;

  private static final String PLAIN_NAME = "[A-Za-z0-9_.-]{1,64}";

  private final Map<String, FieldRule> rules = new LinkedHashMap<>();
  private final String turns;
  private final Map<String, Object> assumed;

  /**
   * @param turns the field with the messages, of which only the last of the user is read
   * @param assumed what stands for a field that is left out
   */
  FieldTable(String turns, Map<String, Object> assumed, FieldRule... all) {
    this.turns = turns;
    this.assumed = assumed;
    for (FieldRule rule : all) {
      rules.put(rule.name(), rule);
    }
  }

  List<FieldRule> rules() {
    return List.copyOf(rules.values());
  }

  /** Fails with the first field that asks for what is not offered. */
  void check(JsonNode body) {
    for (FieldRule rule : rules.values()) {
      JsonNode value = body.path(rule.name());
      Optional<Problem> problem =
          value.isMissingNode() || value.isNull()
              ? Optional.empty()
              : rule.check().problem(value, body);
      if (problem.isPresent()) {
        throw problem.get().refusal();
      }
    }
  }

  /** The body without what is assumed where it is left out. */
  ObjectNode withoutDefaults(JsonNode body) {
    ObjectNode bare = JsonNodeFactory.instance.objectNode();
    body.properties().forEach(field -> {
      Object same = assumed.get(field.getKey());
      boolean standing = same != null && field.getValue().asText().equals(same.toString());
      if (!field.getValue().isNull() && !standing) {
        bare.set(field.getKey(), field.getValue());
      }
    });
    return bare;
  }

  /** The header that names what is passed over; none where nothing is. */
  Map<String, String> unused(JsonNode body) {
    List<String> names = new ArrayList<>();
    int more = 0;
    if (body.path(turns).isArray() && body.path(turns).size() > 1) {
      names.add(turns + ".earlier");
    }
    for (Iterator<String> all = body.fieldNames(); all.hasNext(); ) {
      String name = all.next();
      FieldRule rule = rules.get(name);
      JsonNode value = body.get(name);
      if (value.isNull() || rule != null && !rule.idle().test(value)) {
        continue;
      }
      if (names.size() < NAMED_MAX && name.matches(PLAIN_NAME)) {
        names.add(name);
      } else {
        more++;
      }
    }
    if (more > 0) {
      names.add("and-" + more + "-more");
    }
    return names.isEmpty() ? Map.of() : Map.of(UNUSED, String.join(", ", names));
  }
}
