package rubricem.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.Query;

/** A request on its way through an endpoint; gives only what the endpoint has declared. */
public final class Exchange {
  /** Names that may be repeated in an answer: none that anybody could mean otherwise. */
  static final String PLAIN_NAME = "[A-Za-z0-9_.-]{1,64}";

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

  /**
   * Refuses a parameter that is given twice, and one that is not declared.
   *
   * @param strict false lets others pass, for interfaces with many writers
   */
  void checkQuery(boolean strict) {
    Map<String, List<String>> given = query.toMultiMap();
    for (Map.Entry<String, List<String>> one : new TreeMap<>(given).entrySet()) {
      String name = one.getKey();
      boolean known = endpoint.queries().contains(name);
      if (known && one.getValue().size() > 1) {
        throw Problem.of(Problem.Kind.INVALID_PARAMETER, name + " may be given once.").refusal();
      }
      if (strict && !known) {
        String shown = name.matches(PLAIN_NAME) ? name : "One of the parameters";
        throw Problem.of(
                Problem.Kind.INVALID_PARAMETER,
                shown + " is not known here. "
                    + (endpoint.queries().isEmpty()
                        ? "This path takes no parameters behind the ?."
                        : "Known: "
                            + String.join(", ", new TreeSet<>(endpoint.queries())) + "."))
            .refusal();
      }
    }
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
    List<String> values = new ArrayList<>();
    for (HttpHeader header : request.getHeaders()) {
      if (header.is(name.toLowerCase(Locale.ROOT))) {
        values.add(header.value());
      }
    }
    if (values.size() > 1) {
      // which of them was meant nobody can know
      throw Problem.of(Problem.Kind.INVALID_PARAMETER, "Send the header " + name + " once.")
          .refusal();
    }
    return values.stream().findFirst();
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

  /** Refuses where the answer may not be a stream; asked before anything is begun for it. */
  public void checkStream() {
    boolean none = request.getAttribute(StreamPlace.KEY).filter(place -> !place.take()).isPresent();
    if (none) {
      throw StreamPlace.ALL_IN_USE.refusal();
    }
  }

  public HttpRequest request() {
    return request;
  }
}
