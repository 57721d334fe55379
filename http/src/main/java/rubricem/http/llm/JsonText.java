package rubricem.http.llm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Reading and writing JSON of the wire: nothing may follow the value, nesting is bounded. */
final class JsonText {
  private static final int DEPTH_MAX = 100;

  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** What a text is, read as a JSON object. */
  sealed interface Reading {
    record Whole(ObjectNode object) implements Reading {}

    /** It begins like an object and ends too early. */
    record Cut() implements Reading {}

    record Wrong() implements Reading {}
  }

  static final JsonNode NOTHING = com.fasterxml.jackson.databind.node.MissingNode.getInstance();

  private JsonText() {}

  static Reading readObject(String text) {
    if (text.isBlank()) {
      return new Reading.Cut();
    }
    try {
      return MAPPER.readTree(text) instanceof ObjectNode object
          ? new Reading.Whole(object)
          : new Reading.Wrong();
    } catch (JsonProcessingException e) {
      boolean atEnd =
          e instanceof JsonEOFException
              || e.getLocation() != null && e.getLocation().getCharOffset() >= text.length();
      return atEnd && text.stripLeading().startsWith("{") ? new Reading.Cut() : new Reading.Wrong();
    }
  }

  static Optional<ObjectNode> object(String text) {
    return readObject(text) instanceof Reading.Whole whole
        ? Optional.of(whole.object())
        : Optional.empty();
  }

  static boolean isObject(String text) {
    return text.stripTrailing().endsWith("}") && object(text).isPresent();
  }

  static String write(JsonNode node) {
    return node.toString();
  }
}
