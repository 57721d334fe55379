package rubricem.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.Query;

/** A request on its way through an endpoint; gives only what the endpoint has declared. */
public final class Exchange {
  private final HttpRequest request;
  private final Endpoint endpoint;
  private final Map<String, String> path;
  private final Query query;
  private final BodyReader.Once body;

  Exchange(
      HttpRequest request, Endpoint endpoint, Map<String, String> path, Query query,
      BodyReader.Once body) {
    this.request = request;
    this.endpoint = endpoint;
    this.path = path;
    this.query = query;
    this.body = body;
  }

  /** A part of the path that the template names, decoded. */
  public String path(String name) {
    String value = path.get(name);
    if (value == null) {
      throw new IllegalStateException(endpoint.template() + " has no part " + name);
    }
    return value;
  }

  public Optional<String> query(String name) {
    if (!endpoint.queries().contains(name)) {
      throw new IllegalStateException(endpoint.template() + " does not declare ?" + name);
    }
    return query.get(name);
  }

  /** A header beyond {@code Accept} and {@code Content-Type}, which every endpoint may look at. */
  public Optional<String> header(String name) {
    if (!endpoint.headers().contains(name)) {
      throw new IllegalStateException(endpoint.template() + " does not declare header " + name);
    }
    return request.getHeader(name).map(HttpHeader::value);
  }

  /** Which of {@code offered} the asker likes best; a problem where it takes none. */
  public String accepted(String... offered) {
    return Acceptance.of(request).best(offered);
  }

  /**
   * Whether the asker says that it would rather have {@code wanted}; one who says nothing does not.
   */
  public boolean prefers(String wanted, String other) {
    return Acceptance.of(request).prefers(wanted, other);
  }

  /** The body, which must be a JSON object or array in UTF-8. */
  public CompletionStage<JsonNode> json() {
    return body.json();
  }

  public HttpRequest request() {
    return request;
  }
}
