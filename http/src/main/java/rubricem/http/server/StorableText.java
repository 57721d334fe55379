package rubricem.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Refuses text that no database keeps and no answer could give back unchanged. */
final class StorableText {
  private StorableText() {}

  static void check(JsonNode node, String pointer) {
    if (node.isTextual()) {
      check(node.textValue(), pointer);
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        check(node.get(i), pointer + "/" + i);
      }
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      check(field.getKey(), pointer + "/…");
      check(field.getValue(), pointer + "/" + field.getKey());
    }
  }

  private static void check(String text, String pointer) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c) && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (Character.isSurrogate(c) || c < ' ' && c != '\n' && c != '\r' && c != '\t') {
        throw Problem.of(
                Problem.Kind.INVALID_FIELD,
                (pointer.isEmpty() ? "The text" : pointer) + " holds "
                    + (c < ' ' ? "a control character" : "half a surrogate pair")
                    + " at position " + i + ". Remove it.")
            .refusal();
      }
    }
  }
}
