package rubricem.http.server;

import java.util.List;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * A group of routes that speak one protocol over the same episodes: the native API, the page, an
 * OpenAI-shaped or an MCP interface. A door translates; what the doors share, the {@link Edge} has.
 */
public interface FrontDoor {
  List<Endpoint> endpoints();

  /**
   * What is said of a path that no door has, to somebody who speaks this protocol.
   *
   * @return empty where the path is none that such a client would try
   */
  default Optional<Problem> missing(String path) {
    return Optional.empty();
  }

  /**
   * What is said of a method that a path of this door does not know.
   *
   * @param allow the methods it knows
   */
  default Problem wrongMethod(String path, String allow) {
    return Problem.of(Problem.Kind.METHOD_NOT_ALLOWED, "This path knows " + allow + ".")
        .with("Allow", allow);
  }

  /** Whether a parameter that no endpoint declares is a mistake of its sender. */
  default boolean knowsItsParameters() {
    return false;
  }

  /** Writes a problem as this protocol says it. */
  default HttpResponse refuse(Problem problem) {
    return Answers.problem(problem);
  }
}
