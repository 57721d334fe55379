package rubricem.gpu.weights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Typed values of a JSON object. A value of another type is refused by file and key; one that is
 * absent or null is the fallback. It knows no key by itself.
 */
record ConfigKeys(Path file, ObjectNode root) {
  boolean isNull(String key) {
    return root.has(key) && root.get(key).isNull();
  }

  int size(String key) throws IOException {
    if (!Json.isGiven(root, key)) {
      throw new UnusableFolderException(file, key + " is missing");
    }
    return size(key, 0);
  }

  int size(String key, int fallback) throws IOException {
    if (!Json.isGiven(root, key)) {
      return fallback;
    }
    return wholeNumber(key, root.get(key));
  }

  private int wholeNumber(String key, JsonNode node) throws IOException {
    if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
      throw new UnusableFolderException(file, key + " is " + node + ", no whole number");
    }
    return node.intValue();
  }

  double number(String key, double fallback) throws IOException {
    if (!Json.isGiven(root, key)) {
      return fallback;
    }
    if (!root.get(key).isNumber()) {
      throw new UnusableFolderException(file, key + " is " + root.get(key) + ", no number");
    }
    return root.get(key).doubleValue();
  }

  boolean flag(String key, boolean fallback) throws IOException {
    if (!Json.isGiven(root, key)) {
      return fallback;
    }
    if (!root.get(key).isBoolean()) {
      throw new UnusableFolderException(file, key + " is " + root.get(key) + ", not true or false");
    }
    return root.get(key).booleanValue();
  }

  Optional<ConfigKeys> object(String key) {
    return root.get(key) instanceof ObjectNode o
        ? Optional.of(new ConfigKeys(file, o))
        : Optional.empty();
  }

  /** One id, a list of them, or nothing. */
  List<Integer> ids(String key) throws IOException {
    List<Integer> out = new ArrayList<>();
    if (root.path(key).isArray()) {
      for (JsonNode id : root.get(key)) {
        out.add(wholeNumber(key, id));
      }
    } else if (Json.isGiven(root, key)) {
      out.add(wholeNumber(key, root.get(key)));
    }
    return out;
  }

  OptionalInt id(String key) throws IOException {
    return Json.isGiven(root, key)
        ? OptionalInt.of(wholeNumber(key, root.get(key)))
        : OptionalInt.empty();
  }
}
