package rubricem.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an object of a body field by field. Names that are not known, values of another type and
 * values out of bounds are refused with the pointer of the field and what it may be. A null is the
 * same as nothing.
 */
public final class JsonFields {
  private static final String WHOLE = "The body";

  private final JsonNode node;
  private final String pointer;

  private JsonFields(JsonNode node, String pointer) {
    this.node = node;
    this.pointer = pointer;
  }

  public static JsonFields of(JsonNode node, String pointer, Set<String> known) {
    return of(node, pointer, known, (pointer.isEmpty() ? WHOLE : pointer) + " has");
  }

  /** The arguments of a tool: whoever calls one has sent no body. */
  public static JsonFields arguments(JsonNode node, Set<String> known) {
    return of(node, "", known, "The arguments have");
  }

  private static JsonFields of(JsonNode node, String pointer, Set<String> known, String has) {
    if (!node.isObject()) {
      throw wrong(pointer, "must be an object").refusal();
    }
    Iterator<String> names = node.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (!known.contains(name)) {
        throw Problem.of(
                Problem.Kind.INVALID_FIELD,
                has
                    + (name.matches(Exchange.PLAIN_NAME)
                        ? " the field " + name + ", which is not known."
                        : " a field that is not known.")
                    + " Known: "
                    + String.join(", ", known.stream().sorted().toList()) + ".")
            .refusal();
      }
    }
    return new JsonFields(node, pointer);
  }

  /** The same for interfaces with many writers: names that are not known are passed over. */
  public static JsonFields lenient(JsonNode node, String pointer) {
    if (!node.isObject()) {
      throw wrong(pointer, "must be an object").refusal();
    }
    return new JsonFields(node, pointer);
  }

  public Optional<JsonFields> lenient(String name) {
    return field(name).map(value -> lenient(value, pointer + "/" + name));
  }

  public boolean flag(String name) {
    return field(name)
        .map(
            value -> {
              if (!value.isBoolean()) {
                throw wrong(pointer + "/" + name, "must be true or false").refusal();
              }
              return value.booleanValue();
            })
        .orElse(false);
  }

  /** Whatever stands there. */
  public Optional<JsonNode> field(String name) {
    return Optional.ofNullable(node.get(name)).filter(value -> !value.isNull());
  }

  public Optional<String> text(String name) {
    return field(name).map(value -> text(value, pointer + "/" + name));
  }

  private static String text(JsonNode value, String at) {
    if (!value.isTextual()) {
      throw wrong(at, "must be a string").refusal();
    }
    return value.textValue();
  }

  public Optional<List<String>> texts(String name, int max) {
    return field(name).map(value -> {
      if (!value.isArray()) {
        throw wrong(pointer + "/" + name, "must be a list of strings").refusal();
      }
      if (value.size() > max) {
        throw outOfBounds(pointer + "/" + name, "may have " + max + " entries").refusal();
      }
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < value.size(); i++) {
        texts.add(text(value.get(i), pointer + "/" + name + "/" + i));
      }
      return List.copyOf(texts);
    });
  }

  public Optional<Long> whole(String name, long min, long max) {
    return field(name).map(value -> {
      String at = pointer + "/" + name;
      if (!value.isIntegralNumber()) {
        throw wrong(at, "must be a whole number").refusal();
      }
      if (!value.canConvertToLong() || value.longValue() < min || value.longValue() > max) {
        throw outOfBounds(at, "must be from " + min + " to " + max).refusal();
      }
      return value.longValue();
    });
  }

  public Optional<Double> number(String name, double min, double max) {
    return field(name).map(value -> {
      String at = pointer + "/" + name;
      if (!value.isNumber()) {
        throw wrong(at, "must be a number").refusal();
      }
      BigDecimal number = value.decimalValue();
      if (number.compareTo(BigDecimal.valueOf(min)) < 0
          || number.compareTo(BigDecimal.valueOf(max)) > 0) {
        throw outOfBounds(at, "must be from " + min + " to " + max).refusal();
      }
      return number.doubleValue();
    });
  }

  public Optional<JsonFields> object(String name, Set<String> known) {
    return field(name).map(value -> of(value, pointer + "/" + name, known));
  }

  /** Names and texts that the sender chooses. */
  public Map<String, String> strings(String name, int entriesMax, int nameMax, int textMax) {
    Map<String, String> strings = new LinkedHashMap<>();
    String at = pointer + "/" + name;
    field(name).ifPresent(value -> {
      if (!value.isObject()) {
        throw wrong(at, "must be an object of strings").refusal();
      }
      value.properties().forEach(
          entry -> strings.put(entry.getKey(), text(entry.getValue(), at + "/…")));
    });
    boolean fits =
        strings.size() <= entriesMax
            && strings.entrySet().stream().allMatch(
                e -> !e.getKey().isEmpty() && e.getKey().length() <= nameMax
                    && e.getValue().length() <= textMax);
    if (!fits) {
      throw outOfBounds(
              at,
              "may have " + entriesMax + " entries with names of 1 to " + nameMax
                  + " and texts of up to " + textMax + " characters")
          .refusal();
    }
    return Map.copyOf(strings);
  }

  public static Problem wrong(String at, String must) {
    return Problem.of(
        Problem.Kind.INVALID_FIELD, (at.isEmpty() ? WHOLE : at) + " " + must + ".");
  }

  public static Problem outOfBounds(String at, String must) {
    return Problem.of(Problem.Kind.OUT_OF_BOUNDS, at + " " + must + ".");
  }
}
