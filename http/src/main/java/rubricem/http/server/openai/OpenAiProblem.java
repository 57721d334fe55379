package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.jspecify.annotations.Nullable;
import rubricem.http.server.Answers;
import rubricem.http.server.Problem;

/** Problems in the words of OpenAI's interface, and whether its libraries shall try again. */
final class OpenAiProblem {
  private OpenAiProblem() {}

  static HttpResponse answer(Problem problem) {
    byte[] body = json(problem).toString().getBytes(StandardCharsets.UTF_8);
    HttpResponse answer =
        Answers.with(
            Answers.bytes(problem.status(), ContentTypes.APPLICATION_JSON, body),
            problem.headers());
    // its libraries repeat every 409 and 5xx; these would come to the same again
    return isFinal(problem.kind())
        ? Answers.with(answer, Map.of("x-should-retry", "false"))
        : answer;
  }

  private static boolean isFinal(Problem.Kind kind) {
    return kind == Problem.Kind.EPISODE_FAILED || kind == Problem.Kind.EPISODE_CANCELLED
        || kind == Problem.Kind.EPISODE_REFUSED || kind == Problem.Kind.DEFECT;
  }

  static ObjectNode json(Problem problem) {
    ObjectNode error =
        JsonNodeFactory.instance.objectNode()
            .put("message", message(problem))
            .put("type", type(problem))
            .put("param", param(problem.detail()))
            .put("code", code(problem.kind()));
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("error", error);
    return body;
  }

  private static String message(Problem problem) {
    return problem.said();
  }

  private static String type(Problem problem) {
    return problem.status() == 429
        ? "rate_limit_error"
        : problem.status() >= 500 ? "server_error" : "invalid_request_error";
  }

  private static String code(Problem.Kind kind) {
    return switch (kind) {
      case NO_SUCH_PATH -> "unknown_url";
      case UNKNOWN_MODEL -> "model_not_found";
      case TOO_MANY_EPISODES -> "rate_limit_exceeded";
      case EPISODE_FAILED, DEFECT -> "server_error";
      case UNKNOWN_EPISODE, UNKNOWN_SOURCE, UNKNOWN_RESPONSE, NO_RUN, NO_BANK,
          PREVIOUS_RESPONSE_NOT_FOUND, UNSUPPORTED_PARAMETER, UNSUPPORTED_VALUE,
          METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, REQUEST_TIMEOUT, NO_REPORT, EPISODE_REFUSED, EPISODE_CANCELLED,
          BODY_TOO_LARGE, URI_TOO_LONG, UNSUPPORTED_MEDIA_TYPE, HEADERS_TOO_LARGE,
          MALFORMED_REQUEST, MALFORMED_JSON, JSON_BEYOND_LIMIT, INVALID_FIELD, INVALID_PARAMETER, OUT_OF_BOUNDS,
          NOT_OFFERED, KEY_REUSED, FOREIGN_HOST, FOREIGN_ORIGIN, NOT_READY, STORAGE_UNAVAILABLE, TOO_SLOW ->
          kind.label();
    };
  }

  /** A detail that begins with the pointer of a field is about that field. */
  private static @Nullable String param(String detail) {
    int end = detail.indexOf(' ');
    return detail.startsWith("/") && end > 1
        ? detail.substring(1, end).replaceAll(":$", "").replace('/', '.')
        : null;
  }
}
