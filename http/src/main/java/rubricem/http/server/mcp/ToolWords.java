package rubricem.http.server.mcp;

import rubricem.http.server.Problem;

/**
 * Problems of the edge as somebody can use them who has tools and no paths: a host over lines knows
 * no address, and a model can call nothing but tools.
 */
final class ToolWords {
  private ToolWords() {}

  static Problem of(Problem problem) {
    return switch (problem.kind()) {
      case UNKNOWN_EPISODE ->
          Problem.of(
              problem.kind(),
              "Use the id that start_research gave, the letter e and 26 more characters;"
                  + " resources/list has the finished reports.");
      case NO_SUCH_PATH, UNKNOWN_SOURCE, UNKNOWN_MODEL, UNKNOWN_RESPONSE, NO_RUN, NO_BANK,
          PREVIOUS_RESPONSE_NOT_FOUND, UNSUPPORTED_PARAMETER, UNSUPPORTED_VALUE,
          METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, REQUEST_TIMEOUT, NO_REPORT, EPISODE_REFUSED,
          EPISODE_CANCELLED, BODY_TOO_LARGE, URI_TOO_LONG, UNSUPPORTED_MEDIA_TYPE,
          HEADERS_TOO_LARGE, MALFORMED_REQUEST, MALFORMED_JSON, JSON_BEYOND_LIMIT, INVALID_FIELD, INVALID_PARAMETER,
          OUT_OF_BOUNDS, NOT_OFFERED, KEY_REUSED, FOREIGN_HOST, FOREIGN_ORIGIN, TOO_MANY_EPISODES,
          NOT_READY, STORAGE_UNAVAILABLE, TOO_SLOW, EPISODE_FAILED, DEFECT -> problem;
    };
  }
}
