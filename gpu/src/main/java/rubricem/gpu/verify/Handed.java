package rubricem.gpu.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/** Reads of handed JSON that fail by the name of the key where something else is there. */
final class Handed {
  private Handed() {}

  static JsonNode get(JsonNode node, String key) {
    JsonNode value = node.get(key);
    if (value == null || value.isNull()) {
      throw new HandedProblem("there is no " + key);
    }
    return value;
  }

  static JsonNode list(JsonNode node, String key) {
    JsonNode value = get(node, key);
    if (!value.isArray()) {
      throw new HandedProblem(key + " is no list");
    }
    return value;
  }

  /** A list that says something. */
  static JsonNode filled(JsonNode node, String key) {
    JsonNode value = list(node, key);
    if (value.isEmpty()) {
      throw new HandedProblem(key + " is empty");
    }
    return value;
  }

  static double number(JsonNode node, String key) {
    JsonNode value = get(node, key);
    if (!value.isNumber()) {
      throw new HandedProblem(key + " is no number");
    }
    return value.asDouble();
  }

  static String text(JsonNode node, String key) {
    JsonNode value = get(node, key);
    if (!value.isTextual()) {
      throw new HandedProblem(key + " is no text");
    }
    return value.textValue();
  }

  static double[] numbers(JsonNode node, String key) {
    JsonNode values = list(node, key);
    double[] out = new double[values.size()];
    for (int i = 0; i < out.length; i++) {
      // a score that nobody gave is null
      out[i] = values.get(i).isNull() ? Double.NaN : element(values.get(i), key);
    }
    return out;
  }

  private static double element(JsonNode value, String key) {
    if (!value.isNumber()) {
      throw new HandedProblem(key + " holds something else than numbers");
    }
    return value.asDouble();
  }

  static int[] ids(JsonNode node, String key) {
    JsonNode values = list(node, key);
    int[] out = new int[values.size()];
    for (int i = 0; i < out.length; i++) {
      if (!values.get(i).canConvertToInt() || !values.get(i).isIntegralNumber()) {
        throw new HandedProblem(key + " holds something else than ids");
      }
      out[i] = values.get(i).intValue();
    }
    return out;
  }

  /** Keys beyond {@code known}: what they ask for is not computed, so they are named. */
  static List<String> others(JsonNode node, List<String> known) {
    TreeSet<String> others = new TreeSet<>();
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      others.add(names.next());
    }
    known.forEach(others::remove);
    return List.copyOf(others);
  }
}
