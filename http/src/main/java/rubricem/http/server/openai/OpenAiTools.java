package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import rubricem.http.server.JsonFields;
import rubricem.http.server.Problem;

/**
 * Which tools a client may name. What is searched is set by whoever runs the server, so a search of
 * the interface's own is fine as long as it narrows nothing; a tool that the client would run, or
 * that only OpenAI has, would never be called, and the client would wait for it in vain.
 */
final class OpenAiTools {
  private static final String LEAVE =
      "Leave it away: what is searched is set by whoever runs this server";

  private OpenAiTools() {}

  /** Functions of a chat completion; ones that may not be called do no harm. */
  static Optional<Problem> functions(String name, String choice, JsonNode all, JsonNode body) {
    if (!all.isArray()) {
      return Optional.of(JsonFields.wrong("/" + name, "must be a list"));
    }
    return all.isEmpty() || isNone(body.path(choice))
        ? Optional.empty()
        : unsupported(
            Problem.Kind.UNSUPPORTED_PARAMETER, "/" + name,
            "must be empty: this model calls no functions. Leave it away, or set " + choice
                + " to none");
  }

  static Optional<Problem> tools(JsonNode all, JsonNode body) {
    if (!all.isArray()) {
      return Optional.of(JsonFields.wrong("/tools", "must be a list"));
    }
    for (int i = 0; i < all.size(); i++) {
      JsonNode tool = all.get(i);
      String at = "/tools/" + i;
      if (!isSearch(tool)) {
        if (isNone(body.path("tool_choice"))) {
          continue;
        }
        return unsupported(
            Problem.Kind.UNSUPPORTED_VALUE, at,
            "must be web_search or file_search: this model runs no other tools. " + LEAVE);
      }
      for (String narrowing : new String[] {"vector_store_ids", "filters"}) {
        if (!tool.path(narrowing).isNull() && !tool.path(narrowing).isEmpty()) {
          return unsupported(
              Problem.Kind.UNSUPPORTED_VALUE, at + "/" + narrowing,
              "cannot be kept to: this server has one collection of documents and searches all of"
                  + " it. Leave it away");
        }
      }
    }
    return Optional.empty();
  }

  /** Whoever requires a search is told that nothing enforces it: the model decides. */
  static Optional<Problem> choice(JsonNode choice, JsonNode body) {
    boolean fits =
        choice.isTextual()
            ? choice.textValue().matches("none|auto|required")
            : isSearch(choice) || isAllowance(choice);
    return fits
        ? Optional.empty()
        : unsupported(
            Problem.Kind.UNSUPPORTED_VALUE, "/tool_choice",
            "must be none, auto, required or a search: this model runs no other tools");
  }

  static boolean isNoneOrAuto(JsonNode choice) {
    return isNone(choice) || choice.asText("").equals("auto");
  }

  private static boolean isNone(JsonNode choice) {
    return choice.asText("").equals("none");
  }

  private static boolean isAllowance(JsonNode choice) {
    JsonNode tools = choice.path("tools");
    if (!choice.path("type").asText("").equals("allowed_tools") || !tools.isArray()) {
      return false;
    }
    for (JsonNode tool : tools) {
      if (!isSearch(tool)) {
        return false;
      }
    }
    return true;
  }

  /** Also in its versions, such as {@code web_search_preview_2025_03_11}. */
  private static boolean isSearch(JsonNode tool) {
    return tool.path("type").asText("").matches("file_search|web_search(_[a-z0-9_]+)?");
  }

  private static Optional<Problem> unsupported(Problem.Kind kind, String at, String must) {
    return Optional.of(FieldRule.unsupported(kind, at, must));
  }
}
