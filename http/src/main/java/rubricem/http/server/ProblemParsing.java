package rubricem.http.server;

import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.ParsingErrorHandler;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.http.scaladsl.model.StatusCode;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;

/**
 * Answers what never becomes a request, because its first line or its headers cannot be read, in
 * the words that all other problems have. Pekko finds it by name and takes the one in {@code
 * MODULE$}.
 */
public final class ProblemParsing extends ParsingErrorHandler {
  public static final ProblemParsing MODULE$ = new ProblemParsing();

  private static final int NOT_IMPLEMENTED = 501;
  private static final Problem LATE =
      Problem.of(
          Problem.Kind.REQUEST_TIMEOUT, "The headers did not arrive in time. Send them at once.");

  @Override
  public HttpResponse handle(
      StatusCode status, ErrorInfo error, LoggingAdapter log, ServerSettings settings) {
    boolean late = error.summary().equals(ConnectionGate.LATE);
    return Answers.problem(late ? LATE : problem(status.intValue(), error.summary()));
  }

  /** @param said the parser's words; they quote nothing of the request */
  private static Problem problem(int status, String said) {
    return switch (status) {
      case 413 ->
          Problem.of(Problem.Kind.BODY_TOO_LARGE, "Send a smaller body.");
      case 414 -> Problem.of(Problem.Kind.URI_TOO_LONG, "Send long values in the body.");
      case 431 ->
          Problem.of(Problem.Kind.HEADERS_TOO_LARGE, "Send fewer or shorter headers.");
      case NOT_IMPLEMENTED ->
          Problem.of(Problem.Kind.METHOD_NOT_ALLOWED, "No path here knows this method.")
              .with("Allow", "GET, HEAD, OPTIONS, POST, DELETE");
      default ->
          Problem.of(
              Problem.Kind.MALFORMED_REQUEST, "It is no HTTP request that can be read: " + said);
    };
  }
}
