package rubricem.http.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Why a request was not carried out, in the words of RFC 9457. A kind fixes type, title and status;
 * the detail says what to do. It never holds a stack trace, a path of this machine or a secret.
 *
 * @param headers what the answer must also carry, such as {@code Allow}
 */
public record Problem(Kind kind, String detail, Map<String, String> headers) {
  /** Kinds of problems; their names are part of the interface and never change their meaning. */
  public enum Kind {
    NO_SUCH_PATH(404, "There is nothing at this path"),
    UNKNOWN_EPISODE(404, "There is no such episode"),
    UNKNOWN_SOURCE(404, "The episode retrieved no such passage"),
    UNKNOWN_MODEL(404, "There is no such model"),
    UNKNOWN_RESPONSE(404, "There is no such response"),
    NO_RUN(404, "There is no such run"),
    NO_BANK(404, "The run keeps no rubric bank"),
    METHOD_NOT_ALLOWED(405, "This path does not know the method"),
    NOT_ACCEPTABLE(406, "The answer exists in none of the accepted forms"),
    REQUEST_TIMEOUT(408, "The request did not arrive in time"),
    NO_REPORT(409, "There is no report"),
    EPISODE_REFUSED(409, "The episode refused"),
    EPISODE_CANCELLED(409, "The episode was cancelled"),
    BODY_TOO_LARGE(413, "The body is too large"),
    URI_TOO_LONG(414, "The address is too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body has a type that is not read here"),
    HEADERS_TOO_LARGE(431, "The headers are too large"),
    MALFORMED_REQUEST(400, "The request is malformed"),
    MALFORMED_JSON(400, "The body is not JSON that can be read"),
    JSON_BEYOND_LIMIT(400, "The JSON is beyond a limit of this server"),
    INVALID_FIELD(400, "A field is unknown, missing or of the wrong type"),
    INVALID_PARAMETER(400, "A parameter cannot be used"),
    UNSUPPORTED_PARAMETER(400, "A field asks for what this server does not do"),
    UNSUPPORTED_VALUE(400, "A value asks for what this server does not do"),
    PREVIOUS_RESPONSE_NOT_FOUND(400, "There is no such response to go on from"),
    OUT_OF_BOUNDS(422, "A value is out of bounds"),
    NOT_OFFERED(422, "This server does not offer that"),
    KEY_REUSED(422, "The idempotency key was used for another request"),
    FOREIGN_HOST(403, "This server is not meant by that name"),
    FOREIGN_ORIGIN(403, "Pages of that origin may not call this server"),
    TOO_MANY_EPISODES(429, "Too many episodes are running"),
    NOT_READY(503, "The server is not ready"),
    STORAGE_UNAVAILABLE(503, "The database cannot be used now"),
    TOO_SLOW(503, "The answer took too long"),
    EPISODE_FAILED(500, "The episode failed"),
    DEFECT(500, "Something went wrong inside RubricEM");

    private final int status;
    private final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }

    public int status() {
      return status;
    }

    public String title() {
      return title;
    }

    /** The URI that names the kind. */
    public String type() {
      return "urn:rubricem:problem:" + label().replace('_', '-');
    }

    /** The name for interfaces that have short codes. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static Problem of(Kind kind, String detail) {
    return new Problem(kind, detail, Map.of());
  }

  /**
   * The database is at fault, not whoever asked.
   *
   * @param trouble what is known of it, in sentences without paths; empty where nothing is
   */
  public static Problem storageUnavailable(String trouble) {
    return of(
            Kind.STORAGE_UNAVAILABLE,
            (trouble.isEmpty()
                    ? "Nothing that was stored is lost. The log of the server says what is wrong."
                    : trouble)
                + " Ask again later; with the same Idempotency-Key nothing happens twice.")
        .with("Retry-After", "5");
  }

  public Problem with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Problem(kind, detail, Map.copyOf(more));
  }

  public int status() {
    return kind.status();
  }

  public Refusal refusal() {
    return new Refusal(this);
  }

  public ObjectNode json() {
    return JsonNodeFactory.instance.objectNode()
        .put("type", kind.type())
        .put("title", kind.title())
        .put("status", kind.status())
        .put("detail", detail);
  }

  /** Carries a problem to where the answer is written. */
  public static final class Refusal extends RuntimeException {
    private final transient Problem problem;

    private Refusal(Problem problem) {
      // no stack trace: it is an ordinary answer, and there may be thousands a second
      super(problem.detail(), null, false, false);
      this.problem = problem;
    }

    public Problem problem() {
      return problem;
    }
  }

  /**
   * Title and detail as sentences. What a service said of a failure comes without its capital; the
   * other details are our own, and may begin with the name of a field.
   */
  public String said() {
    int first =
        detail.isEmpty() || kind != Kind.EPISODE_FAILED ? 0 : detail.offsetByCodePoints(0, 1);
    return kind.title() + ". " + detail.substring(0, first).toUpperCase(Locale.ROOT)
        + detail.substring(first);
  }
}
