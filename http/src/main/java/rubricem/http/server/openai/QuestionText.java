package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import rubricem.http.server.JsonFields;

/**
 * The text of the last message of the user. Content is a string or a list of parts; a part that is
 * no text is refused, because a question without its picture is another question.
 */
final class QuestionText {
  private QuestionText() {}

  static String last(JsonNode messages, String pointer) {
    if (!messages.isArray()) {
      throw JsonFields.wrong(pointer, "must be a list of messages").refusal();
    }
    for (int i = messages.size() - 1; i >= 0; i--) {
      String at = pointer + "/" + i;
      JsonFields message = JsonFields.lenient(messages.get(i), at);
      if (message.text("role").filter("user"::equals).isPresent()) {
        return content(
            message.field("content")
                .orElseThrow(() -> JsonFields.wrong(at + "/content", "is missing").refusal()),
            at + "/content");
      }
    }
    throw JsonFields.wrong(pointer, "must hold a message with the role user").refusal();
  }

  private static String content(JsonNode content, String pointer) {
    if (content.isTextual()) {
      return content.textValue();
    }
    if (!content.isArray()) {
      throw JsonFields.wrong(pointer, "must be a string or a list of parts").refusal();
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < content.size(); i++) {
      JsonFields part = JsonFields.lenient(content.get(i), pointer + "/" + i);
      String type = part.text("type").orElse("");
      if (!type.equals("text") && !type.equals("input_text")) {
        throw JsonFields.outOfBounds(pointer + "/" + i, "must be a part with text").refusal();
      }
      text.append(text.isEmpty() ? "" : "\n").append(part.text("text").orElse(""));
    }
    return text.toString();
  }
}
