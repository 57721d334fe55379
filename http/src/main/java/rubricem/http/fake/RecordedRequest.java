package rubricem.http.fake;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request as the stand-in received it. The key a client sent is kept, since a test may have to
 * show where it went; it is nobody's real one.
 *
 * @param headers first values by lower-case name
 * @param body a missing node where there was none
 */
public record RecordedRequest(
    int number, String method, String path, Map<String, String> headers, JsonNode body) {

  public Optional<String> header(String lowerCaseName) {
    return Optional.ofNullable(headers.get(lowerCaseName));
  }

  /** The texts of all messages of a role, in order; the parts of a message joined. */
  public List<String> texts(String role) {
    List<String> texts = new ArrayList<>();
    for (JsonNode message : body.path("messages")) {
      if (message.path("role").asText().equals(role)) {
        texts.add(text(message.path("content")));
      }
    }
    return texts;
  }

  static String text(JsonNode content) {
    if (content.isTextual()) {
      return content.textValue();
    }
    StringBuilder text = new StringBuilder();
    for (JsonNode part : content) {
      text.append(part.path("text").asText(""));
    }
    return text.toString();
  }

  public boolean streams() {
    return body.path("stream").asBoolean(false);
  }

  public boolean wantsUsage() {
    return body.path("stream_options").path("include_usage").asBoolean(false);
  }
}
