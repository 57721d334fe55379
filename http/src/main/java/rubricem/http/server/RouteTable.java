package rubricem.http.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.Query;
import org.apache.pekko.http.javadsl.model.Uri;
import org.apache.pekko.http.javadsl.model.headers.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.protocol.port.StorageUnavailable;

/**
 * Every route of every door, and the way of a request through them: who may ask, which endpoint,
 * how long it may take, and how a failure becomes an answer. Each request gets exactly one answer,
 * and none of them shows a stack trace. {@code HEAD} is answered as {@code GET}, {@code OPTIONS} by
 * the table itself.
 */
public final class RouteTable {
  /** What any endpoint may answer: malformed, foreign, too much, broken, not now. */
  public static final Set<Integer> EVERYWHERE = Set.of(400, 403, 413, 500, 503);

  private static final Problem NO_SUCH_PATH =
      Problem.of(
          Problem.Kind.NO_SUCH_PATH, "The paths of this server are listed at /openapi.json.");

  /** Parts of a path; no route has as many. */
  private static final int PARTS_MAX = 32;

  private static final Logger LOG = LoggerFactory.getLogger(RouteTable.class);

  /** Learns of every answer. */
  @FunctionalInterface
  public interface Observer {
    /** @param template of the endpoint; {@code none} where no path fitted */
    void answered(String method, String template, int status, Duration took);
  }

  private record Row(FrontDoor door, Endpoint endpoint) {}

  private record Match(Map<String, Row> methods, Map<String, String> path) {}

  /** A path of nobody, and the door whose clients try such paths. */
  private record Missing(FrontDoor door, Problem problem) {}

  private final List<Row> rows = new ArrayList<>();
  private final HostCheck hosts;
  private final BodyReader bodies;
  private final Supplier<String> trouble;
  private final Observer observer;

  /** @param trouble what is known to be wrong with what is stored */
  RouteTable(
      List<FrontDoor> doors, HostCheck hosts, BodyReader bodies, Supplier<String> trouble,
      Observer observer) {
    for (FrontDoor door : doors) {
      door.endpoints().forEach(endpoint -> rows.add(new Row(door, endpoint)));
    }
    this.hosts = hosts;
    this.bodies = bodies;
    this.trouble = trouble;
    this.observer = observer;
  }

  CompletionStage<HttpResponse> handle(HttpRequest request) {
    long start = System.nanoTime();
    String path = request.getUri().path();
    Optional<Match> found = match(path);
    Optional<Missing> missing =
        found.filter(m -> !isAnyPath(m.methods())).isPresent() ? Optional.empty() : missing(path);
    Optional<Match> match = missing.isPresent() ? Optional.empty() : found;
    String method = request.method().value();
    String template =
        match.map(m -> m.methods().values().iterator().next().endpoint().template())
            .orElse("none");
    return answer(request, match, missing, method)
        .thenApply(
            response -> {
              observer.answered(
                  method, template, response.status().intValue(),
                  Duration.ofNanos(System.nanoTime() - start));
              return Answers.with(goodbye(response), hosts.sharing(request));
            });
  }

  /** Behind a body that was not read to its end nothing more can be read; the client must know. */
  private static HttpResponse goodbye(HttpResponse response) {
    int status = response.status().intValue();
    return status == 413 || status == 408
        ? response.addHeader(Connection.create("close"))
        : response;
  }

  private CompletionStage<HttpResponse> answer(
      HttpRequest request, Optional<Match> match, Optional<Missing> missing, String method) {
    Optional<FrontDoor> door = match.map(RouteTable::door).or(() -> missing.map(Missing::door));
    Optional<Problem> foreign = hosts.problem(request);
    if (foreign.isPresent()) {
      return refused(request, door, foreign.get());
    }
    Optional<Problem> tooLarge = bodies.tooLarge(request);
    if (tooLarge.isPresent()) {
      return bodies.letGoBy(request)
          .thenApply(gone -> refusal(door, tooLarge.get()));
    }
    if (match.isEmpty()) {
      return refused(request, door, missing.map(Missing::problem).orElse(NO_SUCH_PATH));
    }
    Map<String, Row> methods = match.get().methods();
    Row row = methods.get(method.equals("HEAD") ? "GET" : method);
    if (row == null) {
      if (method.equals("OPTIONS")) {
        HttpResponse known =
            Answers.with(
                HttpResponse.create().withStatus(204),
                Map.of("Allow", allow(methods), "Access-Control-Allow-Methods", allow(methods)));
        return bodies.once(request).discard().thenApply(discarded -> known);
      }
      if (isAnyPath(methods)) {
        return refused(request, Optional.empty(), NO_SUCH_PATH);
      }
      Problem wrong =
          door(match.get()).wrongMethod(request.getUri().path(), allow(methods));
      return refused(request, door, wrong);
    }
    return run(request, row, match.get().path());
  }

  private CompletionStage<HttpResponse> refused(
      HttpRequest request, Optional<FrontDoor> door, Problem problem) {
    return bodies.once(request).discard()
        .thenApply(unread -> refusal(door, unread.orElse(problem)));
  }

  /** A problem in the words of the door that the request wants, for who stands before the doors. */
  HttpResponse refusal(HttpRequest request, Problem problem) {
    String path = request.getUri().path();
    Optional<FrontDoor> missing = missing(path).map(Missing::door);
    return Answers.with(
        refusal(missing.or(() -> match(path).map(RouteTable::door)), problem),
        hosts.sharing(request));
  }

  private static HttpResponse refusal(Optional<FrontDoor> door, Problem problem) {
    return door.map(d -> d.refuse(problem)).orElseGet(() -> Answers.problem(problem));
  }

  private Optional<Missing> missing(String path) {
    return rows.stream().map(Row::door).distinct()
        .flatMap(door -> door.missing(path).map(problem -> new Missing(door, problem)).stream())
        .findFirst();
  }

  private static FrontDoor door(Match match) {
    return match.methods().values().iterator().next().door();
  }

  /** A route for every path says nothing of the paths that there are. */
  private static boolean isAnyPath(Map<String, Row> methods) {
    String template = methods.values().iterator().next().endpoint().template();
    return template.startsWith("/{") && template.endsWith("*}");
  }

  private static String allow(Map<String, Row> methods) {
    Set<String> names = new TreeSet<>(methods.keySet());
    if (names.contains("GET")) {
      names.add("HEAD");
    }
    names.add("OPTIONS");
    return String.join(", ", names);
  }

  private CompletionStage<HttpResponse> run(
      HttpRequest request, Row row, Map<String, String> path) {
    Endpoint endpoint = row.endpoint();
    BodyReader.Once body = bodies.once(request);
    CompletionStage<HttpResponse> begun;
    try {
      Exchange exchange = new Exchange(request, endpoint, path, query(request), body);
      exchange.checkQuery(row.door().knowsItsParameters());
      begun = endpoint.handler().handle(exchange);
    } catch (RuntimeException e) {
      begun = CompletableFuture.failedStage(e);
    }
    return begun.toCompletableFuture().copy()
        .orTimeout(endpoint.patience().toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)
        .handle(
            (response, failure) ->
                failure == null ? response : row.door().refuse(problem(endpoint, failure)))
        .thenCompose(
            response ->
                body.discard()
                    .thenApply(
                        problem ->
                            problem.isPresent() && response.status().isSuccess()
                                ? row.door().refuse(problem.get())
                                : response));
  }

  private static Query query(HttpRequest request) {
    try {
      return request.getUri().query(StandardCharsets.UTF_8, Uri.RELAXED);
    } catch (RuntimeException e) {
      throw Problem.of(
              Problem.Kind.MALFORMED_REQUEST, "What stands behind the ? is no list of parameters.")
          .refusal();
    }
  }

  private Problem problem(Endpoint endpoint, Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Problem.Refusal refusal) {
      return refusal.problem();
    }
    if (cause instanceof TimeoutException) {
      LOG.warn("{} {} took too long", endpoint.method().value(), endpoint.template());
      return Problem.of(
              Problem.Kind.TOO_SLOW,
              "Whether it was carried out is not known. Ask again; with the same Idempotency-Key"
                  + " nothing happens twice.")
          .with("Retry-After", "2");
    }
    if (cause instanceof StorageUnavailable) {
      LOG.error(
          "{} {} needs the database: {}", endpoint.method().value(), endpoint.template(),
          cause.getMessage());
      return Problem.storageUnavailable(trouble.get());
    }
    LOG.error("{} {} failed", endpoint.method().value(), endpoint.template(), cause);
    return Problem.of(
        Problem.Kind.DEFECT, "The log of the server has the details; please report it.");
  }

  private Optional<Match> match(String path) {
    String[] parts = path.split("/", -1);
    if (parts.length > PARTS_MAX) {
      return Optional.empty();
    }
    Map<String, Row> methods = new LinkedHashMap<>();
    Map<String, String> variables = new HashMap<>();
    Optional<String> template = Optional.empty();
    for (Row row : rows) {
      Endpoint endpoint = row.endpoint();
      boolean other = template.isPresent() && !template.get().equals(endpoint.template());
      Map<String, String> found = new HashMap<>();
      if (!other && fits(endpoint.template().split("/", -1), parts, found)) {
        template = Optional.of(endpoint.template());
        methods.put(endpoint.method().value(), row);
        variables.putAll(found);
      }
    }
    return methods.isEmpty() ? Optional.empty() : Optional.of(new Match(methods, variables));
  }

  private static boolean fits(String[] template, String[] parts, Map<String, String> found) {
    for (int i = 0; i < template.length; i++) {
      String part = template[i];
      if (part.endsWith("*}") && i < parts.length) {
        List<String> rest = List.of(parts).subList(i, parts.length);
        found.put(part.substring(1, part.length() - 2), decoded(String.join("/", rest)));
        return true;
      }
      if (i >= parts.length) {
        return false;
      }
      if (part.startsWith("{")) {
        if (parts[i].isEmpty()) {
          return false;
        }
        found.put(part.substring(1, part.length() - 1), decoded(parts[i]));
      } else if (!part.equals(parts[i])) {
        return false;
      }
    }
    return template.length == parts.length;
  }

  /** What cannot be decoded stays as it is: it names nothing of ours either way. */
  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return part;
    }
  }

  /** The rows, for the description to be compared with. */
  public List<Endpoint> endpoints() {
    return rows.stream().map(Row::endpoint).toList();
  }
}
