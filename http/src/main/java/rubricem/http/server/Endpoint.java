package rubricem.http.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpMethod;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * One row of the table of routes: a method at a path, and what it reads and may answer. A handler
 * can read no parameter that is not declared here, so that a description compared with the
 * declaration is a description of the code.
 *
 * @param template {@code /v1/research/{id}}: a part in braces stands for one part of the path, one
 *     in braces with a star at its end for all that is left
 * @param patience how long the answer may take to begin
 * @param statuses what it answers itself, beyond {@link RouteTable#EVERYWHERE}
 */
public record Endpoint(
    HttpMethod method,
    String template,
    Duration patience,
    Set<String> queries,
    Set<String> headers,
    Set<Integer> statuses,
    Handler handler) {
  /** Longer than any question to an episode may take (20 s), so that its own words come first. */
  public static final Duration PATIENCE = Duration.ofSeconds(25);

  /** Answers; fails with {@link Problem.Refusal} where it cannot. */
  @FunctionalInterface
  public interface Handler {
    CompletionStage<HttpResponse> handle(Exchange exchange);
  }

  public static Endpoint of(HttpMethod method, String template, Handler handler) {
    return new Endpoint(
        method, template, PATIENCE, Set.of(), Set.of(), Set.of(200), handler);
  }

  public Endpoint answering(Integer... all) {
    return new Endpoint(method, template, patience, queries, headers, Set.of(all), handler);
  }

  public Endpoint reading(String... names) {
    return new Endpoint(
        method, template, patience, Set.of(names), headers, statuses, handler);
  }

  public Endpoint readingHeaders(String... names) {
    return new Endpoint(
        method, template, patience, queries, Set.of(names), statuses, handler);
  }

  public Endpoint within(Duration time) {
    return new Endpoint(method, template, time, queries, headers, statuses, handler);
  }
}
