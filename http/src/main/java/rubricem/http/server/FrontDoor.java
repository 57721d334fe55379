package rubricem.http.server;

import java.util.List;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * A group of routes that speak one protocol over the same episodes: the native API, the page, an
 * OpenAI-shaped or an MCP interface. A door translates; what the doors share, the {@link Edge} has.
 */
public interface FrontDoor {
  List<Endpoint> endpoints();

  /** Writes a problem as this protocol says it. */
  default HttpResponse refuse(Problem problem) {
    return Answers.problem(problem);
  }
}
